/*
 * CI systems obey what a job prints: `::command::` at the start of a line (GitHub), `##[command]`, `##vso[…]` (Azure Pipelines) and
 * `##teamcity[…]` anywhere. A service must not give orders, whatever the format its words are printed in.
 */

/** Spaces of one line only: with line breaks among them, they would be scanned again from each line on. */
const AT_LINE_START = /^([^\S\r\n\u2028\u2029]*)::(?=.*::)/gm;
const ANYWHERE = /##(?=[a-z]*\[)/gi;

/** Text without CI commands: a lookalike sign of one column replaces one character. */
export function inertText(text: string): string {
  return inertMarks(text.replace(AT_LINE_START, '$1\u2236:'));
}

/** The same for a line that is one of our own commands. */
export function inertMarks(text: string): string {
  return text.replace(ANYWHERE, '#\u266f');
}

/** JSON without CI commands that is parsed to the same value. */
export function inertJson(json: string): string {
  // Both occur only within strings, where they may be escaped (RFC 8259, section 7).
  return json.replaceAll('::', '\\u003a\\u003a').replace(ANYWHERE, '\\u0023\\u0023');
}

/** Escaped text of an XML document without CI commands that is read as the same text. */
export function inertXml(escaped: string): string {
  return escaped.replaceAll('::', '&#58;&#58;').replace(ANYWHERE, '&#35;&#35;');
}
