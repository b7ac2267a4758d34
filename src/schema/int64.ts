/** int64: a whole number from -2^63 to 2^63-1 (OpenAPI format registry), judged on exact digits. */
export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

/** True for a number or bigint that an int64 can hold. */
export function isInt64(value: unknown): value is number | bigint {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX;
}
