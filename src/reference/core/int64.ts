const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;
const canonical = /^-?(?:0|[1-9]\d*)$/;

/** The first and last int64. */
export const int64Range = { smallest, largest } as const;

/** Whether the value fits a signed 64-bit integer. */
export function isInt64(value: bigint): boolean {
  return value >= smallest && value <= largest;
}

/** Reads plain decimal digits: no plus sign, no padding, no fraction, no exponent. Undefined for anything else. */
export function parseInteger(text: string): bigint | undefined {
  // The length bound keeps an attacker's megabyte of digits away from BigInt.
  return text.length <= 400 && canonical.test(text) ? BigInt(text) : undefined;
}
