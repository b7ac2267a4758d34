import { faultsOf, WRITES } from '../fault.ts';
import { plainBody, shape, shapeOf } from '../helpers/errors.ts';
import { header } from '../helpers/requests.ts';

/** Error bodies that are not an Error. */
export const errorsShape = faultsOf('errors.shape', {
  'error-status-as-text': ['status is a string.', shape((record) => ({ ...record, status: String(record.status) }))],
  'error-code-as-number': ['code is a number.', shape((record) => ({ ...record, code: record.status }))],
  'error-code-missing': ['code is omitted.', shape((record) => ({ ...record, code: undefined }))],
  'error-code-null': ['code is null.', shape((record) => ({ ...record, code: null }))],
  'error-message-missing': ['message is omitted.', shape((record) => ({ ...record, message: undefined }))],
  'error-message-null': ['message is null.', shape((record) => ({ ...record, message: null }))],
  'error-message-as-array': ['message is an array of messages.', shape((record) => ({ ...record, message: [record.message] }))],
  'error-message-as-object': ['message is an object of translations.', shape((record) => ({ ...record, message: { en: record.message } }))],
  'error-status-missing': ['status is omitted.', shape((record) => ({ ...record, status: undefined }))],
  'error-nested': ['The Error is inside {"error": …}.', shape((record) => ({ error: record }))],
  'error-in-array': ['The Error is inside {"errors": […]}.', shape((record) => ({ errors: [record] }))],
  'error-as-text': ['The body is the message as a JSON string.', shape((record) => record.message)],
  'error-as-problem-details': [
    'The body is RFC 9457: type, title, detail, status.',
    shape((record) => ({ type: 'about:blank', title: record.message, status: record.status })),
  ],
  'error-capitalised-members': [
    'Members are Code, Message, Status.',
    shape((record) => ({ Code: record.code, Message: record.message, Status: record.status })),
  ],
  'unauthorized-without-code': ['The 401 of the gateway has only a message.', shapeOf(401, ({ message }) => ({ message }))],
  'error-without-user-agent-brief': [
    'The gateway takes a client without a User-Agent for a crawler, which gets no more than the message.',
    (parts) => ({
      errorRecord: (problem, call) => (header(call, 'user-agent') === '' ? { message: problem.message } : parts.errorRecord(problem, call)),
    }),
  ],
  'unauthorized-empty-object': ['The 401 has the body {}.', shapeOf(401, () => ({}))],
  'not-found-without-status': ['The 404 has no status.', shapeOf(404, (record) => ({ ...record, status: undefined }))],
  'not-found-null': ['The 404 has the body null.', shapeOf(404, () => null)],
  'bad-request-message-as-array': [
    'The 400 has an array of messages, one per field.',
    shapeOf(400, (record) => ({ ...record, message: [record.message] })),
    WRITES,
  ],
  'bad-request-without-code': ['The 400 has no code.', shapeOf(400, (record) => ({ ...record, code: undefined })), WRITES],
  'bad-request-code-as-number': ['The 400 has a number as code.', shapeOf(400, (record) => ({ ...record, code: 1001 })), WRITES],
  'unauthorized-without-body': ['The 401 has no body.', plainBody(401, '', 'application/json')],
  'not-found-without-body': ['The 404 has no body.', plainBody(404, '', 'application/json')],
  'bad-request-without-body': ['The 400 has no body.', plainBody(400, '', 'application/json'), WRITES],
});
