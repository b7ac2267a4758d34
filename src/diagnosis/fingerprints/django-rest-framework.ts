import type { Fingerprint } from './fingerprint.ts';
import { isRecord, type Traces, textMember } from './traces.ts';

const PHRASES = ['This field is required.', 'A valid integer is required.', 'Not a valid string.', 'This field may not be null.'];

function isFieldErrors({ status, json }: Traces): boolean {
  if (status !== 400 || !isRecord(json)) return false;
  return Object.values(json).some(
    (texts) => Array.isArray(texts) && texts.some((text) => PHRASES.includes(text) || /^Invalid data\. /.test(text)),
  );
}

export const djangoRestFramework: readonly Fingerprint[] = [
  {
    product: 'Django REST framework',
    writer: "Django REST framework's exception handler",
    source:
      'encode/django-rest-framework, rest_framework/views.py and rest_framework/exceptions.py; rest_framework/serializers.py (is_valid)',
    advice:
      'Set EXCEPTION_HANDLER in REST_FRAMEWORK to a function that writes Error bodies, and call is_valid(raise_exception=True) where a view returns serializer.errors itself',
    matches: (traces) => (traces.members === 'detail' && textMember(traces, 'detail').endsWith('.')) || isFieldErrors(traces),
  },
  {
    product: 'Django',
    writer: "Django's error pages",
    source: 'django/django, django/views/defaults.py and django/core/handlers/exception.py',
    advice: 'Set DEBUG to False, and handler400, handler404 and handler500 in the root URLconf to views that write Error bodies',
    matches: ({ text }) =>
      text.includes('<p>The requested resource was not found on this server.</p>') || text.includes('<title>Page not found at /'),
  },
];
