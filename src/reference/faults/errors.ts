import type { Parts } from '../core/parts.ts';
import type { Problem } from '../core/problem.ts';
import { type Fault, type FaultNeeds, fault, writing } from './fault.ts';
import { rewriteIf } from './helpers.ts';

type ErrorRecord = { code: unknown; message: unknown; status: unknown };

function shape(
  name: string,
  clause: string,
  summary: string,
  change: (record: ErrorRecord, problem: Problem) => unknown,
  only?: number,
): Fault {
  const replace = (parts: Parts): Partial<Parts> => ({
    errorRecord: (problem, call) => {
      const { code, message, status } = problem;
      return only === undefined || only === status ? change({ code, message, status }, problem) : parts.errorRecord(problem, call);
    },
  });
  return fault(name, clause, summary, replace, needsOf(only));
}

function needsOf(only: number | undefined): FaultNeeds | undefined {
  return only === 400 ? writing : undefined;
}

/** Another body, with its media type. */
function text(name: string, clause: string, summary: string, only: number, body: string, type: string): Fault {
  const replace = (parts: Parts): Partial<Parts> =>
    rewriteIf(
      parts,
      (reply, { call }) => reply.status === only && call.operation !== 'unknown',
      ({ headers }) => ({ body, headers: { ...headers, 'content-type': type } }),
    );
  return fault(name, clause, summary, replace, needsOf(only));
}

const shapeClause = 'errors.shape';
const agrees = 'errors.status-agrees';

/** Error bodies that are no Error. */
export const errorShapeFaults: readonly Fault[] = [
  shape('error-status-as-text', shapeClause, 'status is a text.', (record) => ({ ...record, status: String(record.status) })),
  shape('error-code-as-number', shapeClause, 'code is a number.', (record) => ({ ...record, code: record.status })),
  shape('error-code-missing', shapeClause, 'code is left out.', (record) => ({ ...record, code: undefined })),
  shape('error-code-null', shapeClause, 'code is null.', (record) => ({ ...record, code: null })),
  shape('error-message-missing', shapeClause, 'message is left out.', (record) => ({ ...record, message: undefined })),
  shape('error-message-null', shapeClause, 'message is null.', (record) => ({ ...record, message: null })),
  shape('error-message-as-array', shapeClause, 'message is an array of messages.', (record) => ({ ...record, message: [record.message] })),
  shape('error-message-as-object', shapeClause, 'message is an object of translations.', (record) => ({
    ...record,
    message: { en: record.message },
  })),
  shape('error-status-missing', shapeClause, 'status is left out.', (record) => ({ ...record, status: undefined })),
  shape('error-nested', shapeClause, 'The Error is inside {"error": …}.', (record) => ({ error: record })),
  shape('error-in-array', shapeClause, 'The Error is inside {"errors": […]}.', (record) => ({ errors: [record] })),
  shape('error-as-text', shapeClause, 'The body is the message as JSON text.', (record) => record.message),
  shape('error-as-problem-details', shapeClause, 'The body is RFC 9457: type, title, detail, status.', (record) => ({
    type: 'about:blank',
    title: record.message,
    status: record.status,
  })),
  shape('error-capitalised-members', shapeClause, 'Members are Code, Message, Status.', (record) => ({
    Code: record.code,
    Message: record.message,
    Status: record.status,
  })),
  shape('unauthorized-without-code', shapeClause, 'The 401 of the gateway has only a message.', ({ message }) => ({ message }), 401),
  shape('unauthorized-empty-object', shapeClause, 'The 401 has the body {}.', () => ({}), 401),
  shape('not-found-without-status', shapeClause, 'The 404 has no status.', (record) => ({ ...record, status: undefined }), 404),
  shape('not-found-null', shapeClause, 'The 404 has the body null.', () => null, 404),
  shape(
    'bad-request-message-as-array',
    shapeClause,
    'The 400 has an array of messages, one a field.',
    (record) => ({ ...record, message: [record.message] }),
    400,
  ),
  shape('bad-request-without-code', shapeClause, 'The 400 has no code.', (record) => ({ ...record, code: undefined }), 400),
  shape('bad-request-code-as-number', shapeClause, 'The 400 has a number as code.', (record) => ({ ...record, code: 1001 }), 400),
  text('unauthorized-without-body', shapeClause, 'The 401 has no body.', 401, '', 'application/json'),
  text('unauthorized-plain-text', 'media.json', 'The 401 is the word Unauthorized.', 401, 'Unauthorized', 'text/plain'),
  text(
    'unauthorized-html',
    'media.json',
    'The 401 is an HTML page of the proxy.',
    401,
    '<html><body><h1>401 Authorization Required</h1></body></html>',
    'text/html',
  ),
  text('not-found-without-body', shapeClause, 'The 404 has no body.', 404, '', 'application/json'),
  text('not-found-plain-text', 'media.json', 'The 404 is the text of the framework.', 404, '404 Not Found', 'text/plain; charset=UTF-8'),
  text('not-found-html', 'media.json', 'The 404 is an HTML page.', 404, '<!DOCTYPE html><pre>Cannot GET /v1/pets</pre>', 'text/html'),
  text('bad-request-without-body', shapeClause, 'The 400 has no body.', 400, '', 'application/json'),
  text('bad-request-plain-text', 'media.json', 'The 400 is a plain text.', 400, 'Bad Request', 'text/plain'),
  text('bad-request-html', 'media.json', 'The 400 is an HTML page.', 400, '<html><body>Bad Request</body></html>', 'text/html'),
];

/** Errors whose status is another than that of the response. */
export const errorStatusFaults: readonly Fault[] = [
  shape('error-status-zero', agrees, 'status is always 0.', (record) => ({ ...record, status: 0 })),
  shape('error-status-always-500', agrees, 'status is always 500.', (record) => ({ ...record, status: 500 })),
  shape('error-status-always-400', agrees, 'status is always 400.', (record) => ({ ...record, status: 400 })),
  shape('error-status-always-200', agrees, 'status is always 200.', (record) => ({ ...record, status: 200 })),
  shape('error-status-times-hundred', agrees, 'status is an inner code such as 40101.', (record) => ({
    ...record,
    status: Number(record.status) * 100 + 1,
  })),
  shape('unauthorized-says-403', agrees, 'The 401 says status 403.', (record) => ({ ...record, status: 403 }), 401),
  shape('not-found-says-400', agrees, 'The 404 says status 400.', (record) => ({ ...record, status: 400 }), 404),
  shape('bad-request-says-422', agrees, 'The 400 says status 422.', (record) => ({ ...record, status: 422 }), 400),
  fault('bad-request-after-401-status', agrees, 'The Error object is shared: each error says the status of the one before.', () => {
    let before = 401;
    return {
      errorRecord: ({ code, message, status }) => {
        const shown = before;
        before = status;
        return { code, message, status: shown };
      },
    };
  }),
];
