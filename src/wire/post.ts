import { request } from 'undici';
import { dispatcherFor } from './dispatchers.ts';
import { basicAuthorization } from './login.ts';
import { DIRECT } from './route.ts';

/** A message to somebody other than the service: an alert, a heartbeat. */
export type Message = {
  /** A login in it is sent as Basic authorization. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds. */
  readonly patience: number;
  readonly ca: string | undefined;
  readonly proxy: string | undefined;
  readonly stop?: AbortSignal | undefined;
};

/** Sends a message once, on connections as those to the service; returns the status of the response. Rejects if there is none. */
export async function post({ url, headers, body, patience, ca, proxy, stop }: Message): Promise<number> {
  const authorization = basicAuthorization(url);
  const dispatcher = dispatcherFor({ ...DIRECT, timeout: patience, ca, proxy }, { address: url, connections: 1, pipelining: 0 });
  try {
    const response = await request(url, {
      dispatcher,
      method: 'POST',
      headers: { 'user-agent': 'petstore-conformance', ...(authorization === undefined ? {} : { authorization }), ...headers },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(patience), ...(stop === undefined ? [] : [stop])]),
      reset: true,
    });
    await response.body.dump();
    return response.statusCode;
  } finally {
    await dispatcher.destroy();
  }
}
