import { InvalidArgumentError } from 'commander';

/** A value of a command's option: a whole number of at least 1. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return Number(text);
}
