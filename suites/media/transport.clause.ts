import type { Breach } from '../../src/clause/clause.ts';
import type { Event } from '../../src/oracle/world.ts';
import { describeRequest } from '../../src/session/read-exchange.ts';
import type { HttpResponse } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';

/** Registered transfer codings (RFC 9112, section 7), and their former names. */
const CODINGS = new Set(['chunked', 'compress', 'deflate', 'gzip', 'x-compress', 'x-gzip']);

function codingsOf({ headers }: HttpResponse): readonly string[] {
  const values = headers.filter(([name]) => name === 'transfer-encoding').flatMap(([, value]) => value.split(','));
  return values.map((value) => (value.split(';')[0] ?? '').trim().toLowerCase()).filter((value) => value !== '');
}

type Problem = { readonly what: string } & Pick<Breach, 'expected' | 'received' | 'failureKinds'>;

function problemOf(response: HttpResponse): Problem | undefined {
  const { version, commonNameOnly } = response.connection ?? {};
  if (version !== undefined)
    return {
      what: `has ${version} in its status line`,
      expected: ['HTTP/1.1 (or HTTP/1.0) in the status line'],
      received: version,
      failureKinds: [{ place: 'status line', expected: 'HTTP/1', received: 'another version' }],
    };
  const codings = codingsOf(response);
  const expected = ['registered transfer codings, and chunked at most once, as the last'];
  const received = `Transfer-Encoding: ${codings.join(', ')}`;
  const failureKinds = [{ place: 'header Transfer-Encoding', expected: 'registered codings', received: 'others' }];
  const unknown = codings.find((coding) => !CODINGS.has(coding));
  if (unknown !== undefined)
    return { what: `has the transfer coding ${JSON.stringify(unknown)}, which HTTP does not know`, expected, received, failureKinds };
  if (codings.filter((coding) => coding === 'chunked').length > 1)
    return { what: 'has the transfer coding chunked more than once', expected, received, failureKinds };
  if (commonNameOnly !== true) return undefined;
  return {
    what: 'came with a certificate that names its host in the common name only',
    expected: ['the host in subjectAltName, which clients compare (RFC 9110, section 4.3.4)'],
    received: 'a certificate without subjectAltName',
    failureKinds: [{ place: 'certificate', expected: 'subjectAltName', received: 'missing' }],
  };
}

function judgeTransport({ response, exchange }: Event): 'not-applicable' | 'holds' | Breach {
  if (response === undefined) return 'not-applicable';
  const problem = problemOf(response);
  if (problem === undefined) return 'holds';
  const { what, ...rest } = problem;
  return { summary: `the ${response.status} response to ${describeRequest(exchange)} ${what}`, ...rest };
}

export const mediaTransport = defineRules({
  id: 'media.transport',
  chapter: 'media-type',
  section: 'What the service does; RFC 9112, sections 2.3, 6.1 and 7; RFC 9110, section 4.3.4',
  quote: ['The service is a pet store catalogue interface over HTTP with JSON bodies.'],
  level: 'advised',
  requirement:
    'Strict clients can read every response: its status line has a version of HTTP/1, its body is framed by registered transfer codings, and a certificate names its host in subjectAltName.',
  likelyCause:
    'A handler sets Transfer-Encoding itself, in addition to the HTTP library or the proxy; the HTTP layer is written by hand; or the certificate was made without subjectAltName. Lenient clients read on, while browsers, Go and proxies reject the response.',
  // Lenient clients read on, and so does the suite: this explains nothing else that is wrong with the response.
  rules: [{ layer: 'media type', letter: true, judge: judgeTransport }],
  met: [{ id: 'every-response', title: 'Strict clients can read every response' }],
});
