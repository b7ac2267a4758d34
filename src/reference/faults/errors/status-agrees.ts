import { faultsOf, WRITES } from '../fault.ts';
import { shape, shapeOf } from '../helpers/errors.ts';

/** Errors whose status differs from that of the response. */
export const errorsStatusAgrees = faultsOf('errors.status-agrees', {
  'error-status-zero': ['status is always 0.', shape((record) => ({ ...record, status: 0 }))],
  'error-status-always-500': ['status is always 500.', shape((record) => ({ ...record, status: 500 }))],
  'error-status-always-400': ['status is always 400.', shape((record) => ({ ...record, status: 400 }))],
  'error-status-always-200': ['status is always 200.', shape((record) => ({ ...record, status: 200 }))],
  'error-status-times-hundred': [
    'status is an internal code such as 40101.',
    shape((record) => ({ ...record, status: Number(record.status) * 100 + 1 })),
  ],
  'unauthorized-says-403': ['The 401 says status 403.', shapeOf(401, (record) => ({ ...record, status: 403 }))],
  'not-found-says-400': ['The 404 says status 400.', shapeOf(404, (record) => ({ ...record, status: 400 }))],
  'bad-request-says-422': ['The 400 says status 422.', shapeOf(400, (record) => ({ ...record, status: 422 })), WRITES],
  'bad-request-after-401-status': [
    'The Error object is shared: each error shows the status of the previous one.',
    () => {
      let before = 401;
      return {
        errorRecord: ({ code, message, status }) => {
          const shown = before;
          before = status;
          return { code, message, status: shown };
        },
      };
    },
  ],
});
