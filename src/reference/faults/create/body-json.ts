import { parseJson } from '../../core/json.ts';
import type { Patch } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { faultsOf, needing, WRITES } from '../fault.ts';
import { isProblem } from '../helpers/requests.ts';

/** Tries another reading of a body that is not JSON. */
function repair(change: (text: string) => string | undefined): Patch {
  return (parts) => ({
    readBody: (bytes, call) => {
      const body = parts.readBody(bytes, call);
      const text = isProblem(body) ? change(new TextDecoder().decode(bytes)) : undefined;
      if (text === undefined) return body;
      try {
        return parseJson(text);
      } catch {
        return body;
      }
    },
  });
}

function firstJson(text: string): string | undefined {
  return /^\s*\{[^{}]*\}/.exec(text)?.[0];
}

/** Bodies that are not JSON and are accepted, or rejected with a status other than 400. */
export const createBodyJson = faultsOf(needing(WRITES, 'create.body-json'), {
  'tab-in-text-accepted': [
    'The parser accepts control characters in strings.',
    (parts) => ({
      readBody: (bytes, call) => parts.readBody(Buffer.from(new TextDecoder().decode(bytes).replace(/(\w)\t(\w)/g, '$1\\t$2')), call),
    }),
  ],
  'trailing-garbage-accepted': ['Everything after the first JSON value is ignored.', repair(firstJson)],
  'cut-off-json-repaired': [
    'A body that ends early is completed with a closing brace.',
    repair((text) => (text.trim().startsWith('{') ? `${text.replace(/,\s*$/, '')}}` : undefined)),
  ],
  'single-quotes-accepted': ['Single quotes are accepted.', repair((text) => text.replaceAll("'", '"'))],
  'trailing-comma-accepted': ['A comma before the closing brace is accepted.', repair((text) => text.replace(/,\s*}/g, '}'))],
  'unquoted-members-accepted': [
    'Member names without quotes are accepted: JSON5.',
    repair((text) => text.replace(/([{,]\s*)(\w+)\s*:/g, '$1"$2":')),
  ],
  'comments-accepted': ['Comments are accepted.', repair((text) => text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, ''))],
  'nan-accepted': ['NaN and Infinity are accepted as 0.', repair((text) => text.replace(/-?\b(NaN|Infinity)\b/g, '0'))],
  'leading-zeros-accepted': ['Numbers with leading zeros are accepted.', repair((text) => text.replace(/:\s*0+(\d)/g, ':$1'))],
  'ignored-member-not-parsed': [
    'A streaming parser skips the value of a member that it does not know up to the end of the object, without parsing it.',
    repair((text) => text.replace(/,\s*"note"\s*:(?!\s*"[^"]*"\s*\}).*\}$/s, '}')),
  ],
  'form-body-accepted': [
    'A form body (name=…&categoryId=…) sent as application/json is accepted.',
    repair((text) => {
      const form = new URLSearchParams(text);
      return form.has('name') ? `{"name":${JSON.stringify(form.get('name'))},"categoryId":${form.get('categoryId') ?? '1'}}` : undefined;
    }),
  ],
  'empty-body-accepted': [
    'A POST without a body creates a nameless animal.',
    repair((text) => (text === '' ? '{"name":"","categoryId":1}' : undefined)),
  ],
  'not-json-accepted': [
    'A body that is not JSON becomes the name of the animal.',
    repair((text) => JSON.stringify({ name: text, categoryId: 1 })),
  ],
  'not-json-unsupported-media-type': [
    'A body that is not JSON returns 415.',
    (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return isProblem(body) ? new Problem(415, 'unsupported_media_type', 'Send JSON') : body;
      },
    }),
  ],
  'empty-body-length-required': [
    'A POST without a body returns 411.',
    (parts) => ({
      readBody: (bytes, call) =>
        bytes.byteLength === 0 ? new Problem(411, 'length_required', 'Send a body') : parts.readBody(bytes, call),
    }),
  ],
});
