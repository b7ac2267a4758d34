import { randomBytes } from 'node:crypto';

/** One in so many requests has no trace, so that a service which needs one shows it. */
const BARE = 8;
const RUN_BYTES = 4;
const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
const SAMPLED = '01';
/** Bytes that are drawn at a time. */
const DRAWN = 4_096;

/** Random bytes in hexadecimal digits. */
function createDigits(): (bytes: number) => string {
  let drawn = '';
  return (bytes) => {
    if (drawn.length < 2 * bytes) drawn = randomBytes(DRAWN).toString('hex');
    const digits = drawn.slice(0, 2 * bytes);
    drawn = drawn.slice(2 * bytes);
    return digits;
  };
}

/** The `traceparent` of the next request (W3C Trace Context), or undefined for one that has none. */
export type Traces = () => string | undefined;

/**
 * A trace a request: the first eight digits are those of the run, so that the logs of a service can be searched for one exchange or for all. Where
 * traces are switched off, no request has one.
 */
export function createTraces({ trace }: { readonly trace: boolean }): Traces {
  const digits = createDigits();
  const run = digits(RUN_BYTES);
  let count = 0;
  return () => {
    count += 1;
    return trace && count % BARE !== 0 ? `00-${run}${digits(TRACE_BYTES - RUN_BYTES)}-${digits(SPAN_BYTES)}-${SAMPLED}` : undefined;
  };
}
