// Frameworks of Python.
import type { Fingerprint } from './fingerprint.ts';
import { isRecord, reasonPhrase, type Traces, textMember } from './traces.ts';

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

function isValidationError({ members, json }: Traces): boolean {
  if (members !== 'detail' || !isRecord(json) || !Array.isArray(json['detail'])) return false;
  const [first] = json['detail'] as readonly unknown[];
  return isRecord(first) && 'loc' in first && 'msg' in first;
}

export const fastapi: readonly Fingerprint[] = [
  {
    product: 'FastAPI',
    writer: "FastAPI's handler of validation errors",
    source: 'fastapi/fastapi, fastapi/exception_handlers.py',
    advice: 'Register @app.exception_handler(RequestValidationError) and return 400 with an Error body',
    validates: true,
    matches: isValidationError,
  },
  {
    product: 'FastAPI',
    writer: "FastAPI's handler of HTTPException",
    source: 'fastapi/fastapi, fastapi/exception_handlers.py; encode/starlette, starlette/exceptions.py',
    advice: "Register @app.exception_handler for Starlette's HTTPException, which covers the router and fastapi.security too",
    // Django REST framework ends its texts with a full stop.
    matches: (traces) => {
      if (traces.members !== 'detail' || traces.header('x-frame-options') !== undefined) return false;
      const text = textMember(traces, 'detail');
      return text === '' ? isRecord(traces.json) && isRecord(traces.json['detail']) : !text.endsWith('.');
    },
  },
];

export const starlette: readonly Fingerprint[] = [
  {
    product: 'Starlette',
    writer: "Starlette's own handlers of errors",
    source:
      'encode/starlette, starlette/middleware/errors.py (error_response) and starlette/middleware/exceptions.py (http_exception); encode/uvicorn, uvicorn/protocols/http/httptools_impl.py',
    advice: 'Register handlers of Exception and of HTTPException that write Error bodies (FastAPI: @app.exception_handler(Exception))',
    // Uvicorn writes the same if an application without such a handler crashes.
    matches: (traces) =>
      traces.header('server') === 'uvicorn' && traces.contentType === 'text/plain; charset=utf-8' && traces.text === reasonPhrase(traces),
  },
];

export const flask: readonly Fingerprint[] = [
  {
    product: 'Flask',
    writer: "Flask's error pages (Werkzeug)",
    source: 'pallets/werkzeug, src/werkzeug/exceptions.py',
    advice: 'Register @app.errorhandler(HTTPException) and write Error bodies there',
    matches: ({ text }) => /^<!doctype html>\s*<html lang=en>\s*<title>\d{3} /.test(text),
  },
];
