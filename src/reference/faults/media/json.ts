import { withoutHeaders } from '../../core/headers.ts';
import type { Context, Patch } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { EMPTY_STORE, FEW, faultsOf, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { plainBody } from '../helpers/errors.ts';
import {
  type Condition,
  isCreated,
  isEmptyList,
  isError,
  isGood,
  isListed,
  isRead,
  isReplyTo,
  isUnauthorized,
  rewriteIf,
} from '../helpers/replies.ts';
import { header, reject } from '../helpers/requests.ts';

const BROWSER = /text\/html/;

function accepted({ call }: Context): string {
  return call.headers.accept ?? '';
}

function contentType(condition: Condition, value: string): Patch {
  return rewriteIf(condition, ({ headers }) => ({ headers: { ...headers, 'content-type': value } }));
}

function noContentType(condition: Condition): Patch {
  return rewriteIf(condition, ({ headers }) => ({ headers: withoutHeaders(headers, ['content-type']) }));
}

/** Bodies of another media type, for all clients or for some. */
export const mediaJson = faultsOf('media.json', {
  'create-answers-ok-text': [
    'The 201 body is the word Created as plain text.',
    rewriteIf(isCreated, ({ headers }) => ({ body: 'Created', headers: { ...headers, 'content-type': 'text/plain' } })),
    WRITES,
  ],
  'redirect-of-refused-for-any': [
    'A client that accepts anything counts as a browser: a rejected body redirects back to the form.',
    rewriteIf(
      (reply, context) => isReplyTo('createPet', 400)(reply, context) && accepted(context) === '*/*',
      () => ({ status: 302, headers: { location: '/' }, body: '' }),
    ),
    WRITES,
  ],
  'unauthorized-plain-text': ['The 401 is the word Unauthorized.', plainBody(401, 'Unauthorized', 'text/plain')],
  'unauthorized-html': [
    'The 401 is an HTML page of the proxy.',
    plainBody(401, '<html><body><h1>401 Authorization Required</h1></body></html>', 'text/html'),
  ],
  'not-found-plain-text': ['The 404 is the text of the framework.', plainBody(404, '404 Not Found', 'text/plain; charset=UTF-8')],
  'not-found-html': ['The 404 is an HTML page.', plainBody(404, '<!DOCTYPE html><pre>Cannot GET /v1/pets</pre>', 'text/html')],
  'bad-request-plain-text': ['The 400 is plain text.', plainBody(400, 'Bad Request', 'text/plain'), WRITES],
  'bad-request-html': ['The 400 is an HTML page.', plainBody(400, '<html><body>Bad Request</body></html>', 'text/html'), WRITES],
  'content-type-missing': ['No response has a Content-Type.', noContentType(() => true)],
  'content-type-missing-on-errors': ['Errors have no Content-Type.', noContentType(isError)],
  'content-type-html': ["Every response is text/html, the language's default.", contentType(() => true, 'text/html; charset=UTF-8')],
  'content-type-plain-on-list': ['Lists are text/plain.', contentType(isListed, 'text/plain')],
  'content-type-text-json': ['Responses are text/json.', contentType(isGood, 'text/json')],
  'content-type-octet-stream-on-get': ['getPet is application/octet-stream.', contentType(isRead, 'application/octet-stream'), FEW],
  'content-type-javascript-on-list': ['Lists are application/javascript.', contentType(isListed, 'application/javascript')],
  'content-type-plain-on-create': ['The 201 is text/plain.', contentType(isCreated, 'text/plain'), WRITES],
  'content-type-missing-on-create': ['The 201 has no Content-Type.', noContentType(isCreated), WRITES],
  'content-type-problem-json': ['Errors are application/problem+json.', contentType(isError, 'application/problem+json')],
  'content-type-vendor': ['Responses are application/vnd.petstore+json.', contentType(isGood, 'application/vnd.petstore+json')],
  'content-type-html-on-401': ['The 401 is JSON under text/html.', contentType(isUnauthorized, 'text/html')],
  'content-type-html-on-404': ['The 404 is JSON under text/html.', contentType((reply) => reply.status === 404, 'text/html')],
  'content-type-plain-on-400': ['The 400 is JSON under text/plain.', contentType((reply) => reply.status === 400, 'text/plain'), WRITES],
  'content-type-missing-on-empty-list': ['An empty list has no Content-Type.', noContentType(isEmptyList), EMPTY_STORE],
  'content-type-wrong-with-filter': [
    'Filtered lists come from the search engine as application/x-ndjson.',
    contentType((reply, context) => isListed(reply, context) && context.call.query.has('status'), 'application/x-ndjson'),
  ],
  'content-type-sometimes-html': ['Every sixth response is text/html.', onEveryNth(6, (isTurn) => contentType(isTurn, 'text/html'))],
  'html-page-with-200': [
    'Lists are an HTML page of the single-page application.',
    rewriteIf(isListed, ({ headers }) => ({
      headers: { ...headers, 'content-type': 'text/html' },
      body: '<!doctype html><div id="app"></div>',
    })),
  ],
  'html-for-browsers': [
    'The framework returns a page to clients that accept text/html.',
    rewriteIf(
      (_reply, context) => BROWSER.test(accepted(context)),
      ({ headers, body }) => ({ headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: `<pre>${body}</pre>` }),
    ),
  ],
  'html-errors-for-browsers': [
    'Errors are pages for clients that accept text/html.',
    rewriteIf(
      (reply, context) => isError(reply, context) && BROWSER.test(accepted(context)),
      ({ headers, status }) => ({ headers: { ...headers, 'content-type': 'text/html' }, body: `<h1>${status}</h1>` }),
    ),
  ],
  'xml-for-any': [
    'The XML mapper comes first: XML for clients that accept anything.',
    rewriteIf(
      (_reply, context) => accepted(context) === '*/*',
      ({ headers }) => ({ headers: { ...headers, 'content-type': 'application/xml' }, body: '<pets/>' }),
    ),
  ],
  'html-for-browser-user-agent': [
    'The framework returns a page to any client that calls itself Mozilla.',
    rewriteIf(
      (_reply, { call }) => header(call, 'user-agent').startsWith('Mozilla/'),
      ({ headers, body }) => ({ headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: `<pre>${body}</pre>` }),
    ),
  ],
  'text-for-curl': [
    'curl gets a table as plain text.',
    rewriteIf(
      (reply, context) => isListed(reply, context) && header(context.call, 'user-agent').startsWith('curl/'),
      ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' }, body: 'ID  NAME\n 1  Rex\n' }),
    ),
  ],
  'weights-of-accept-ignored': [
    'Accept is split at commas, and a type with a weight matches nothing: 406.',
    reject((context) => (/json;q=/.test(accepted(context)) ? new Problem(406, 'not_acceptable', 'Accept application/json') : undefined)),
  ],
  'not-acceptable-without-accept': [
    'A request without Accept returns 406.',
    reject((context) => (accepted(context) === '' ? new Problem(406, 'not_acceptable', 'Accept is missing') : undefined)),
  ],
  'only-json-acceptable': [
    'Accept is compared as a string: anything but application/json returns 406.',
    reject((context) =>
      ['', 'application/json'].includes(accepted(context)) ? undefined : new Problem(406, 'not_acceptable', 'Accept application/json'),
    ),
  ],
});
