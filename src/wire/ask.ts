import type { Dispatcher } from 'undici';
import type { BodySink, Source } from './body.ts';
import { type ConnectionFacts, connectionFacts } from './connection-facts.ts';
import type { Answer } from './exchange.ts';
import type { Progress } from './transport-failure.ts';

type AskOptions = {
  /** Aborted when the deadline has passed. */
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly sinkFor: (coding: string, source: Source) => BodySink;
};

/**
 * A field value without the surrounding white space, which is not part of it (RFC 9112, section 5); undici removes only what precedes it.
 */
const withoutOuterSpace = (value: string): string => value.replace(/[ \t]+$/, '');

function headerList(headers: Readonly<Record<string, string | string[] | undefined>>): Answer['headers'] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name.toLowerCase(), withoutOuterSpace(String(one ?? ''))] as const),
  );
}

/** Whether undici has mistaken white space after Content-Length for a digit, although the body has the stated length. */
function isMisread(error: Error & { readonly code?: string }, headers: Answer['headers'], { bytes }: Progress): boolean {
  const lengths = headers.filter(([name]) => name === 'content-length');
  return error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && lengths.length === 1 && lengths[0]?.[1] === String(bytes);
}

function codingOf(headers: Answer['headers']): string {
  return headers
    .filter(([name]) => name === 'content-encoding')
    .map(([, value]) => value)
    .join(',');
}

/**
 * Sends one request and reads its response to the last byte. It avoids the streams of undici's `request`, which cost more than the rest of
 * an exchange. Rejects with undici's error, the signal's reason, BodyTooLargeError, or ContentCodingError.
 */
export function ask(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { signal, progress, sinkFor }: AskOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answer:
      | {
          readonly status: number;
          readonly headers: Answer['headers'];
          readonly body: BodySink;
          readonly facts: ConnectionFacts | undefined;
        }
      | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    const abort = (): void => controller?.abort(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    const settle = (): void => signal.removeEventListener('abort', abort);
    const finish = (): void => {
      settle();
      if (answer === undefined) {
        reject(new Error('the connection ended before a response'));
        return;
      }
      const { status, headers, body, facts } = answer;
      const connection = facts === undefined ? {} : { connection: facts };
      resolve(body.end().then((read) => ({ status, headers, ...connection, ...read })));
    };
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        progress.connected = true;
        if (signal.aborted) abort();
      },
      onResponseStart(source, status, fields) {
        // 1xx (RFC 9110, section 15.2): the final response is still to come.
        if (status < 200) return;
        const headers = headerList(fields);
        progress.status = status;
        answer = { status, headers, body: sinkFor(codingOf(headers), source), facts: connectionFacts(source.rawHeaders) };
      },
      onResponseData(source, chunk) {
        progress.bytes += chunk.length;
        try {
          answer?.body.write(chunk);
        } catch (error) {
          source.abort(error as Error);
        }
      },
      onResponseEnd: finish,
      onResponseError(_source, error) {
        if (isMisread(error, answer?.headers ?? [], progress)) {
          finish();
          return;
        }
        settle();
        answer?.body.abandon();
        reject(error);
      },
    });
  });
}
