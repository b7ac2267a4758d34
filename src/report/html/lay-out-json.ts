const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON with one line per member, every digit and letter as sent; text that is not JSON is returned unchanged, because its layout may be
 * what is wrong.
 *
 * Works on tokens: parsing and serializing would lose digits, and the order of members with numeric names.
 */
export function layOutJson(text: string): string {
  if (!/^\s*[{[]/.test(text) || !isJson(text)) return text;
  let depth = 0;
  let result = '';
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    const emptied = (last === '{' && token === '}') || (last === '[' && token === ']');
    const breaks = !emptied && (closes || last === '{' || last === '[' || last === ',');
    result += `${breaks ? `\n${'  '.repeat(Math.min(depth, 40))}` : ''}${token}${token === ':' ? ' ' : ''}`;
    if (token === '{' || token === '[') depth += 1;
    last = token;
  }
  return result;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
