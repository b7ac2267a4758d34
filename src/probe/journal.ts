// What the monitor says about itself: its log, and its own problems, without secrets.

import { cleanText, createRedactor, createWholeRedactor, type Redactor } from '../wire/redact.ts';
import { messageOf } from '../wire/wording.ts';
import type { Clock } from './clock.ts';
import type { Log, LogAbout } from './log-line.ts';
import { iso } from './text.ts';

/** Milliseconds for which a problem is shown, and after which it is logged again. */
const PROBLEM_SHOWN = 900_000;
const LOGGED_AGAIN_AFTER = 60_000;

export type JournalParts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly redact: (text: string) => string;
  readonly onUnexpected: () => void;
};

/** Problems are shown for a while, and counted permanently. */
export class Journal {
  private readonly parts: JournalParts;
  private readonly recent = new Map<string, { readonly at: number; readonly wall: number }>();

  constructor(parts: JournalParts) {
    this.parts = parts;
  }

  redact(text: string): string {
    return this.parts.redact(text);
  }

  readonly log: Log = (message, about) => this.parts.log(this.redact(message), about);

  /** `details` are logged instead of the problem. */
  note(text: string, { details, ...about }: LogAbout & { readonly details?: string } = {}): void {
    const { clock } = this.parts;
    const problem = this.redact(text);
    const last = this.recent.get(problem);
    // A disk that stays full would fill the log with the same line each second.
    if (last === undefined || clock.monotonic() - last.at > LOGGED_AGAIN_AFTER) this.log(details ?? problem, { level: 'error', ...about });
    this.recent.set(problem, { at: clock.monotonic(), wall: clock.wall() });
  }

  unexpected(what: string, error: unknown): void {
    this.parts.onUnexpected();
    this.note(`${what}: ${messageOf(error)}`, {
      details: `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    });
  }

  problems(): readonly string[] {
    const now = this.parts.clock.monotonic();
    for (const [problem, { at }] of this.recent) if (now - at > PROBLEM_SHOWN) this.recent.delete(problem);
    // It may be over.
    return [...this.recent].map(([problem, { wall }]) => `${problem} (last at ${iso(wall)})`);
  }
}

/** One sink for every text that leaves the monitor: replaces each current secret by value, in all its spellings, and each secret part of an address as a whole. */
export function createRedactSink(
  secrets: () => readonly string[],
  addressParts: () => readonly string[] = () => [],
): (text: string) => string {
  const ofSecret = createRedactors(createRedactor);
  const ofPart = createRedactors(createWholeRedactor);
  return (text) => cleanText(ofPart(addressParts(), ofSecret(secrets(), text)));
}

/** Applies the redactor of each secret to a text; each is made once. */
function createRedactors(create: (secret: string) => Redactor): (secrets: readonly string[], text: string) => string {
  const made = new Map<string, Redactor>();
  return (secrets, text) =>
    [...new Set(secrets)].reduce((shown, secret) => {
      const redactor = made.get(secret) ?? create(secret);
      made.set(secret, redactor);
      return redactor(shown);
    }, text);
}
