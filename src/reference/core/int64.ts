const SMALLEST = -(2n ** 63n);
const LARGEST = 2n ** 63n - 1n;
const CANONICAL = /^-?(?:0|[1-9]\d*)$/;

/** The smallest and the largest int64. */
export const INT64_RANGE = { smallest: SMALLEST, largest: LARGEST } as const;

/** Whether the value fits a signed 64-bit integer. */
export function isInt64(value: bigint): boolean {
  return value >= SMALLEST && value <= LARGEST;
}

/** Reads plain decimal digits: no plus sign, no padding, no fraction, no exponent. Undefined for anything else. */
export function parseInteger(text: string): bigint | undefined {
  // The length bound keeps an attacker's megabyte of digits away from BigInt.
  return text.length <= 400 && CANONICAL.test(text) ? BigInt(text) : undefined;
}
