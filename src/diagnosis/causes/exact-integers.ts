import type { RedactedExchange } from '../../wire/redact.ts';
import type { Failure } from '../run-view.ts';
import { bodyOf, numberOf } from './reads.ts';

const INTEGER = /^-?\d+$/;

/** An integer that was sent and the spelling in which it came back, where the two differ. */
export type Changed = { readonly sent: string; readonly shown: string };

/** The integer that a request is about: the id of its path, or the categoryId of its body, as it is spelled. */
export function integerSent({ method, url, requestBody }: RedactedExchange): string | undefined {
  const spelled = method === 'GET' ? /\/pets\/(-?\d+)$/.exec(url)?.[1] : numberOf(requestBody, 'categoryId');
  return spelled !== undefined && INTEGER.test(spelled) ? spelled : undefined;
}

/** What became of the integer of some exchange of the finding; undefined when all came back as sent. */
export function changedIn({ finding, exchange: last }: Failure): Changed | undefined {
  const changes = [...finding.exchanges, last].flatMap((exchange): Changed[] => {
    const sent = integerSent(exchange);
    const status = exchange.answer.kind === 'answered' ? exchange.answer.status : 0;
    const shown = numberOf(bodyOf(exchange), exchange.method === 'GET' ? 'id' : 'categoryId');
    const differs = sent !== undefined && shown !== undefined && sent !== shown && status < 300;
    return differs ? [{ sent, shown }] : [];
  });
  return changes[0];
}

const WORST = 2 ** 53;

/** Whether digits are those that JavaScript and others print for a double, which are not its exact ones. */
export function isPrintedDouble(digits: string): boolean {
  const value = Number(digits);
  return String(value) === digits && BigInt(value) !== BigInt(digits);
}

/** Whether a spelling is one that a double has: its exact digits, or the shortest that JavaScript and others print. */
function isSpelledAsDouble(shown: string): boolean {
  const value = Number(shown);
  return !INTEGER.test(shown) || String(value) === shown || (Number.isFinite(value) && BigInt(value) === BigInt(shown));
}

/** The ends of int64: what is clamped to them came through no double. */
export const INT64_ENDS: readonly string[] = ['9223372036854775807', '-9223372036854775808'];

/** Whether the integer came back as a double, a float or a number of fifteen digits would spell it. */
export function isThroughDouble({ sent, shown }: Changed): boolean {
  const value = Number(sent);
  if (Math.abs(value) < 2 ** 24 || (Number.isSafeInteger(value) && value === Number(shown)) || !isSpelledAsDouble(shown)) return false;
  if (INT64_ENDS.includes(shown) && BigInt.asIntN(64, BigInt(sent)) !== BigInt(sent)) return false;
  return [value, Math.fround(value), Number(value.toPrecision(15))].includes(Number(shown));
}

const BITS = [8, 16, 32];

/** In how many bits an int64 was kept, where it came back wrapped or clamped to that; undefined otherwise. */
export function bitsOf({ sent, shown }: Changed): number | undefined {
  if (!INTEGER.test(sent) || !INTEGER.test(shown)) return undefined;
  const [value, came] = [BigInt(sent), BigInt(shown)];
  if (BigInt.asIntN(64, value) !== value) return undefined;
  return BITS.find((bits) => {
    const most = 2n ** BigInt(bits - 1) - 1n;
    const clamped = value > most ? most : value < -most - 1n ? -most - 1n : value;
    return [BigInt.asIntN(bits, value), BigInt.asUintN(bits, value), clamped].includes(came);
  });
}

const WIDE = 2n ** 31n;

/** Whether an integer needs more than 32 bits, and more than the 53 of a double. */
export function widthOf(spelled: string): 'narrow' | 'beyond-int32' | 'beyond-double' {
  const value = BigInt(spelled);
  const size = value < 0n ? -value : value;
  if (size > BigInt(WORST)) return 'beyond-double';
  return value >= WIDE || value < -WIDE ? 'beyond-int32' : 'narrow';
}
