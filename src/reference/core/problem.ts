/** A rejection that becomes an Error body. */
export class Problem {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, code: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.headers = headers;
  }
}

/** The rejection of a request without a valid credential. */
export function unauthorized(message = 'A valid API key is required'): Problem {
  return new Problem(401, 'unauthorized', message, { 'www-authenticate': 'Bearer realm="pet store"' });
}

/** The rejection of a value that the interface does not allow. */
export function invalid(message: string, code = 'invalid_request'): Problem {
  return new Problem(400, code, message);
}

/** The response about something that does not exist. */
export function notFound(message = 'The animal does not exist'): Problem {
  return new Problem(404, 'not_found', message);
}
