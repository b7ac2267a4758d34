// The traceparent of each request (W3C Trace Context).

import { randomBytes } from 'node:crypto';

/** One of this many requests has no trace, which reveals a service that requires one. */
const WITHOUT_ONE_IN = 8;
const RUN_BYTES = 4;
const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
const SAMPLED = '01';
const DRAWN = 4_096;

function createDigits(): (bytes: number) => string {
  let drawn = '';
  return (bytes) => {
    if (drawn.length < 2 * bytes) drawn = randomBytes(DRAWN).toString('hex');
    const digits = drawn.slice(0, 2 * bytes);
    drawn = drawn.slice(2 * bytes);
    return digits;
  };
}

/** Undefined if the next request has none. */
export type Traceparents = () => string | undefined;

/**
 * One trace per request: the first eight digits are those of the run, so that the logs of a service can be searched for one exchange or for
 * all.
 */
export function createTraceparents(): Traceparents {
  const digits = createDigits();
  const run = digits(RUN_BYTES);
  let count = 0;
  return () => {
    count += 1;
    return count % WITHOUT_ONE_IN !== 0 ? `00-${run}${digits(TRACE_BYTES - RUN_BYTES)}-${digits(SPAN_BYTES)}-${SAMPLED}` : undefined;
  };
}
