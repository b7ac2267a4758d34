import { spell } from '../wire/redact.ts';

/** The form of the log: each line has `key=value` pairs, or is an object of JSON. */
export type LogFormat = 'logfmt' | 'json';

export type LogAbout = {
  /** `info` by default. */
  readonly level?: 'info' | 'warn' | 'error';
  /** The target that it is about, if it is about one. */
  readonly target?: string;
};

export type Log = (message: string, about?: LogAbout) => void;

/** What JSON may contain and a terminal or a reader of lines may act upon. */
const ACTIVE = /[\u007f-\u009f\u2028\u2029]/g;

/** A text in quotation marks, on one line, without control characters. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(ACTIVE, spell);
}

/** A line of the log, without its end: any message stays one line, and no message can look like another member. */
export function logLine(format: LogFormat, at: Date, message: string, { level = 'info', target }: LogAbout = {}): string {
  const members = { time: at.toISOString(), level, ...(target === undefined ? {} : { target }), msg: message };
  const entries = Object.entries(members);
  if (format === 'json') return `{${entries.map(([name, value]) => `"${name}":${quoted(value)}`).join(',')}}`;
  return entries.map(([name, value]) => `${name}=${/^[\w.:+-]+$/.test(value) ? value : quoted(value)}`).join(' ');
}
