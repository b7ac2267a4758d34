import type { Fingerprint } from './fingerprint.ts';
import { reasonPhrase } from './traces.ts';

export const starlette: readonly Fingerprint[] = [
  {
    product: 'Starlette',
    writer: "Starlette's own handlers of errors",
    source:
      'encode/starlette, starlette/middleware/errors.py (error_response) and starlette/middleware/exceptions.py (http_exception); encode/uvicorn, uvicorn/protocols/http/httptools_impl.py',
    advice: 'Register handlers of Exception and of HTTPException that write Error bodies (FastAPI: @app.exception_handler(Exception))',
    // Uvicorn writes the same where an application has no such handler and crashes.
    matches: (traces) =>
      traces.header('server') === 'uvicorn' && traces.contentType === 'text/plain; charset=utf-8' && traces.text === reasonPhrase(traces),
  },
];
