const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * JSON with a line a member, every digit and letter as it was sent; what is no JSON comes back untouched, as its very layout may be what is wrong.
 *
 * Works on tokens: parsing and writing again would lose digits, and the order of members that have numbers for names.
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
