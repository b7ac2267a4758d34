import { gzipSync } from 'node:zlib';
import type { Context, Parts, Reply } from '../core/parts.ts';
import { Problem } from '../core/problem.ts';
import { empty, type Fault, type FaultNeeds, fault, few, writing } from './fault.ts';
import { every, isAnswer, refuse, rewriteIf, rewriteText } from './helpers.ts';

type Condition = (reply: Reply, context: Context) => boolean;

const list = isAnswer('listPets', 200);
const read = isAnswer('getPet', 200);
const created = isAnswer('createPet', 201);
const good: Condition = (reply) => reply.status < 300;
const bad: Condition = (reply) => reply.status >= 400;

function type(name: string, summary: string, condition: Condition, value: string | undefined, needs?: FaultNeeds): Fault {
  const replace = (parts: Parts): Partial<Parts> =>
    rewriteIf(parts, condition, ({ headers }) => {
      const { 'content-type': _dropped, ...others } = headers;
      return { headers: value === undefined ? others : { ...others, 'content-type': value } };
    });
  return fault(name, 'media.json', summary, replace, needs);
}

function spelled(
  name: string,
  summary: string,
  condition: Condition,
  change: (text: string) => string | Uint8Array,
  needs?: FaultNeeds,
): Fault {
  return fault(name, 'media.well-formed', summary, (parts) => rewriteText(parts, condition, change), needs);
}

/** Bodies of another media type. */
export const mediaTypeFaults: readonly Fault[] = [
  type('content-type-missing', 'No answer has a Content-Type.', () => true, undefined),
  type('content-type-missing-on-errors', 'Errors have no Content-Type.', bad, undefined),
  type('content-type-html', 'Every answer is text/html, the default of the language.', () => true, 'text/html; charset=UTF-8'),
  type('content-type-plain-on-list', 'Lists are text/plain.', list, 'text/plain'),
  type('content-type-text-json', 'Answers are text/json.', good, 'text/json'),
  type('content-type-octet-stream-on-get', 'getPet is application/octet-stream.', read, 'application/octet-stream', few),
  type('content-type-javascript-on-list', 'Lists are application/javascript.', list, 'application/javascript'),
  type('content-type-plain-on-create', 'The 201 is text/plain.', created, 'text/plain', writing),
  type('content-type-missing-on-create', 'The 201 has no Content-Type.', created, undefined, writing),
  type('content-type-problem-json', 'Errors are application/problem+json.', bad, 'application/problem+json'),
  type('content-type-vendor', 'Answers are application/vnd.petstore+json.', good, 'application/vnd.petstore+json'),
  type('content-type-html-on-401', 'The 401 is JSON under text/html.', (reply) => reply.status === 401, 'text/html'),
  type('content-type-html-on-404', 'The 404 is JSON under text/html.', (reply) => reply.status === 404, 'text/html'),
  type('content-type-plain-on-400', 'The 400 is JSON under text/plain.', (reply) => reply.status === 400, 'text/plain', writing),
  type(
    'content-type-missing-on-empty-list',
    'An empty list has no Content-Type.',
    (reply, context) => list(reply, context) && reply.body === '[]',
    undefined,
    empty,
  ),
  type(
    'content-type-wrong-with-filter',
    'Filtered lists come from the search engine as application/x-ndjson.',
    (reply, context) => list(reply, context) && context.call.query.has('status'),
    'application/x-ndjson',
  ),
  fault('content-type-sometimes-html', 'media.json', 'Every sixth answer comes as text/html.', (parts) => {
    const html = every(6);
    return rewriteIf(
      parts,
      () => html(),
      ({ headers }) => ({ headers: { ...headers, 'content-type': 'text/html' } }),
    );
  }),
  fault('html-page-with-200', 'media.json', 'Lists are an HTML page of the single-page application.', (parts) =>
    rewriteIf(parts, list, ({ headers }) => ({
      headers: { ...headers, 'content-type': 'text/html' },
      body: '<!doctype html><div id="app"></div>',
    })),
  ),
];

const BROWSER = /text\/html/;

function accepted({ call }: Context): string {
  return call.headers.accept ?? '';
}

/** Bodies of another media type for clients that accept it too. */
export const mediaNegotiationFaults: readonly Fault[] = [
  fault('html-for-browsers', 'media.json', 'The framework shows a page to whoever accepts text/html.', (parts) =>
    rewriteIf(
      parts,
      (_reply, context) => BROWSER.test(accepted(context)),
      ({ headers, body }) => ({ headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: `<pre>${body}</pre>` }),
    ),
  ),
  fault('html-errors-for-browsers', 'media.json', 'Errors are pages for whoever accepts text/html.', (parts) =>
    rewriteIf(
      parts,
      (reply, context) => bad(reply, context) && BROWSER.test(accepted(context)),
      ({ headers, status }) => ({ headers: { ...headers, 'content-type': 'text/html' }, body: `<h1>${status}</h1>` }),
    ),
  ),
  fault('xml-for-any', 'media.json', 'The XML mapper comes first: XML for clients that accept anything.', (parts) =>
    rewriteIf(
      parts,
      (_reply, context) => accepted(context) === '*/*',
      ({ headers }) => ({ headers: { ...headers, 'content-type': 'application/xml' }, body: '<pets/>' }),
    ),
  ),
  fault('not-acceptable-without-accept', 'media.json', 'A request without Accept is answered 406.', (parts) =>
    refuse(parts, (context) => (accepted(context) === '' ? new Problem(406, 'not_acceptable', 'Accept is missing') : undefined)),
  ),
  fault('only-json-acceptable', 'media.json', 'Accept is compared as a text: any but application/json is answered 406.', (parts) =>
    refuse(parts, (context) =>
      ['', 'application/json'].includes(accepted(context)) ? undefined : new Problem(406, 'not_acceptable', 'Accept application/json'),
    ),
  ),
  fault('gzip-as-text', 'media.well-formed', 'Compressed lists lose their Content-Encoding on the way.', (parts) =>
    rewriteIf(
      parts,
      (reply, context) => list(reply, context) && (context.call.headers['accept-encoding'] ?? '').includes('gzip'),
      ({ body }) => ({ body: gzipSync(body) }),
    ),
  ),
];

/** Bodies that are no strict JSON. */
export const mediaFormFaults: readonly Fault[] = [
  spelled(
    'body-with-bom',
    'Bodies begin with a byte order mark.',
    () => true,
    (text) => `\ufeff${text}`,
  ),
  spelled('body-with-bom-on-list', 'Lists begin with a byte order mark.', list, (text) => `\ufeff${text}`),
  spelled('body-with-trailing-comma', 'Lists end in a comma.', list, (text) => (text === '[]' ? text : text.replace(/]$/, ',]')), few),
  spelled('body-with-nan', 'A missing rating is written as NaN.', read, (text) => text.replace(/}$/, ',"rating":NaN}'), few),
  spelled('body-with-single-quotes', 'Bodies are printed by the language: single quotes.', good, (text) => text.replaceAll('"', "'"), few),
  spelled('body-with-none', 'Lists are printed by the language: None.', list, (text) => text.replaceAll('"available"', 'None'), few),
  spelled(
    'body-with-duplicate-members',
    'The name is written twice, the second time empty.',
    read,
    (text) => text.replace(/}$/, ',"name":""}'),
    few,
  ),
  spelled(
    'body-with-duplicate-ids-on-create',
    'The 201 has the id twice, the second time 0.',
    created,
    (text) => text.replace(/}$/, ',"id":0}'),
    writing,
  ),
  spelled('body-as-jsonp', 'Lists are wrapped in callback(…).', list, (text) => `callback(${text})`),
  spelled('body-with-prefix', "Lists begin with )]}', against hijacking.", list, (text) => `)]}',\n${text}`),
  spelled('body-with-debug-output', 'A debug line follows the body.', read, (text) => `${text}\nquery took 3 ms`, few),
  spelled(
    'body-with-warning',
    'A warning of the language comes before the body.',
    list,
    (text) => `Warning: undefined index limit\n${text}`,
  ),
  spelled('body-twice', 'The 201 body is written twice.', created, (text) => text + text, writing),
  spelled(
    'body-as-lines',
    'Lists have one animal a line, without brackets.',
    list,
    (text) => (JSON.parse(text) as unknown[]).map((record) => JSON.stringify(record)).join('\n'),
    few,
  ),
  fault(
    'body-empty-for-empty-list',
    'record.pets',
    'An empty list has an empty body.',
    (parts) =>
      rewriteText(
        parts,
        (reply, context) => list(reply, context) && reply.body === '[]',
        () => '',
      ),
    empty,
  ),
  spelled('body-in-utf16', 'Errors are UTF-16.', bad, (text) => Buffer.from(text, 'utf16le')),
  spelled('body-in-latin1', 'Bodies are Latin-1.', good, (text) => Buffer.from(text, 'latin1'), writing),
  spelled(
    'body-with-raw-newlines',
    'Control characters in names are not escaped.',
    good,
    (text) => text.replaceAll('\\n', '\n').replaceAll('\\t', '\t'),
    writing,
  ),
  spelled(
    'body-with-raw-quotes',
    'Quotes in names are not escaped: the JSON is put together by hand.',
    good,
    (text) => text.replaceAll('\\"', '"'),
    writing,
  ),
  spelled('body-cut-at-2048', 'Bodies are cut after 2048 bytes.', good, (text) => text.slice(0, 2048), { seedAnimals: 150 }),
  spelled('body-with-comment', 'Lists end in a comment.', list, (text) => `${text}/* cached */`),
  spelled('body-cut-on-error', 'The last byte of errors is missing.', bad, (text) => text.slice(0, -1)),
];
