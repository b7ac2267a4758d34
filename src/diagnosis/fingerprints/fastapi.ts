import type { Fingerprint } from './fingerprint.ts';
import { isRecord, type Traces, textMember } from './traces.ts';

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
    // A text that ends in a full stop is Django REST framework's.
    matches: (traces) => {
      if (traces.members !== 'detail' || traces.header('x-frame-options') !== undefined) return false;
      const text = textMember(traces, 'detail');
      return text === '' ? isRecord(traces.json) && isRecord(traces.json['detail']) : !text.endsWith('.');
    },
  },
];
