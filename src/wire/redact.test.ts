import { describe, expect, test } from 'vitest';
import { processorTime } from '../../test/support/program.ts';
import { reversed, swapAlike } from './key-spellings.ts';
import { cleanText, createRedactor, REDACTED, sessionRedactor, showText } from './redact.ts';

const KEY = 'q7/Zk+W=&<T"x\'9%p2F~b:V;c@K#h!M?(J)';
const redact = createRedactor(KEY);
const hexadecimal = (separator: string): string =>
  Array.from(Buffer.from(KEY), (byte) => byte.toString(16).padStart(2, '0')).join(separator);
const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');

describe('createRedactor', () => {
  test.each([
    ['raw', KEY],
    ['with its case changed', KEY.toUpperCase()],
    ['reversed', reversed(KEY)],
    ['with letters and digits that look alike', swapAlike(KEY)],
    ['in JSON', JSON.stringify(KEY).slice(1, -1)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(KEY)).slice(3, -3)],
    ['with every character as \\u', [...KEY].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
    ['with escaped slashes', KEY.replaceAll('/', '\\/')],
    ['in a URL', encodeURIComponent(KEY)],
    [
      'in a URL with every character escaped',
      [...KEY].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
    ],
    ['in HTML', html(KEY)],
    ['in HTML of JSON', html(JSON.stringify(KEY).slice(1, -1))],
    ['with numeric entities', [...KEY].map((character) => `&#${character.charCodeAt(0)};`).join('')],
    ['in hexadecimal', Buffer.from(KEY).toString('hex')],
    ['in hexadecimal with spaces', hexadecimal(' ')],
    ['in hexadecimal with colons and capitals', hexadecimal(':').toUpperCase()],
    ['in hexadecimal as a list of numbers', hexadecimal(', 0x')],
    ['in hexadecimal of two bytes at a time', hexadecimal('').replace(/.{4}(?=.)/g, '$& ')],
    ['with spaces between', [...KEY].join(' ')],
    ['with dots between', [...KEY].join('.')],
    ['as an array of characters', [...KEY].join('","')],
    ['as an array of characters in JSON', JSON.stringify([...KEY].join("', '")).slice(1, -1)],
    ['in UTF-16', Buffer.from(KEY, 'utf16le').toString('latin1').slice(0, -1)],
    ['with zero width spaces between', [...KEY].join('\u200b')],
    ['with soft hyphens between', [...KEY].join('\u00ad')],
  ])('hides the key %s, and nothing around it', (_how, spelled) => {
    expect(redact(`before ${spelled} behind`)).toBe(`before ${REDACTED} behind`);
  });

  test.each(['', 'a', 'ab', 'user:', 'Bearer '])('hides the core of base64 of the key after "%s"', (before) => {
    for (const encoding of ['base64', 'base64url'] as const) {
      const text = redact(Buffer.from(`${before}${KEY}!`).toString(encoding));
      expect(text).toContain(REDACTED);
      expect(text.length).toBeLessThan(REDACTED.length + 16);
    }
  });

  test.each(['', 'a', 'ab', 'Bearer '])('hides the core of base64 of base64 of the key after "%s"', (before) => {
    const once = Buffer.from(`${before}${KEY}!`).toString('base64');
    for (const outer of ['', 'x', 'xy']) {
      const text = redact(Buffer.from(`${outer}${once}`).toString('base64'));
      expect(text).toContain(REDACTED);
      expect(text.length).toBeLessThan(REDACTED.length + 28);
    }
  });

  test('hides pieces that are separated in two ways, one right after the other', () => {
    const piece = [...KEY.slice(0, 8)];
    expect(redact(`${piece.join(' ')} | ${piece.join('.')} | x`)).toBe(`${REDACTED} | ${REDACTED} | x`);
  });

  test('leaves other dumps as they are', () => {
    const dump = `${'68 65 6c 6c 6f '.repeat(8)} ${'h e l l o '.repeat(8)} ${[...'nothing of it'].join('","')}`;
    expect(redact(dump)).toBe(dump);
  });

  test('is quick for long dumps and long runs of signs', () => {
    const milliseconds = processorTime(() => {
      for (const unit of [' ', 'a ', '61 ', '6', '-', '":"', 'a\u200b']) redact(unit.repeat(100_000));
    });
    expect(milliseconds).toBeLessThan(3_000);
  });

  test('hides pieces in hexadecimal behind letters that are digits, too, wherever the text is cut', () => {
    const bytes = Buffer.from(KEY).toString('hex').match(/../g) ?? [];
    for (const separator of [' ', ':']) {
      const body = `{"code":"${bytes.join(separator)}`;
      const [digits, spelled] = [bytes.slice(0, 4).join(separator), body.indexOf(bytes[0] ?? '', 8)];
      for (let cut = spelled + digits.length; cut <= body.length; cut += 1) expect(redact(body.slice(0, cut))).not.toContain(digits);
    }
  });

  test('hides every piece of eight characters, and no shorter ones', () => {
    for (let at = 0; at + 8 <= KEY.length; at += 1) expect(redact(`_${KEY.slice(at, at + 8)}_`)).toBe(`_${REDACTED}_`);
    expect(redact(KEY.slice(0, 7))).toBe(KEY.slice(0, 7));
  });

  test('leaves no tail of overlapping pieces', () => {
    expect(redact(`${KEY.slice(0, 12)}${KEY.slice(4)}`)).toBe(REDACTED);
  });

  test('is correct for letters whose lower case is longer', () => {
    expect(redact(`İİİİİİİİ ${KEY} end`)).toBe(`İİİİİİİİ ${REDACTED} end`);
  });

  test('hides nothing for an empty key', () => {
    expect(createRedactor('')('anything')).toBe('anything');
  });

  test('hides a short key after the names of credentials in JSON, in JSON of JSON, and in parameters', () => {
    const mask = createRedactor('k');
    expect(mask('{"api_key":"k","apiKey":"k","access_token": "k","name":"k","monkey":"k"}')).toBe(
      '{"api_key":"[key]","apiKey":"[key]","access_token": "[key]","name":"k","monkey":"k"}',
    );
    expect(mask(JSON.stringify(JSON.stringify({ authorization: 'Bearer k' })))).toContain('Bearer [key]');
    expect(mask('authorization: k, x-api-key=k, key=kk, BEARER k')).toBe('authorization: [key], x-api-key=[key], key=kk, BEARER [key]');
  });
});

describe('sessionRedactor', () => {
  const redactAll = (headers: readonly (readonly [string, string])[], text: string, header?: string): string =>
    sessionRedactor({ apiKey: KEY, headers, baseUrl: 'https://staging-team.example.com/v1' })(text, header);
  const TOKEN = '9b1deb4d-3b7d-4bad-9bdd';

  test('hides what looks random in a header in every spelling, and the API key as before', () => {
    const headers = [['CF-Access-Client-Secret', TOKEN]] as const;
    const encoded = Buffer.from(TOKEN).toString('hex');
    expect(redactAll(headers, `a ${TOKEN} b ${encoded} c ${TOKEN.slice(0, 9)} d ${KEY}`)).toBe(
      `a [secret] b [secret] c [secret] d ${REDACTED}`,
    );
    expect(redactAll([['Cookie', `theme=dark; CF_Authorization=${TOKEN}`]], `${TOKEN.slice(3, 14)} theme=dark`)).toBe(
      '[secret] theme=dark',
    );
    expect(redactAll([['X-Gateway', `Basic ${TOKEN}`]], `Basic ${TOKEN.slice(2)}`)).toBe('Basic [secret]');
  });

  test('hides words as a whole, unless the address has them', () => {
    const agent = [['User-Agent', 'petstore-monitor/1.0 (team-blue)']] as const;
    expect(redactAll(agent, 'by petstore-monitor/1.0 (team-blue), not petstore-monitor')).toBe('by [secret], not petstore-monitor');
    expect(redactAll([['X-Tenant', 'staging-team']], 'at staging-team')).toBe('at staging-team');
    expect(redactAll([['X-Tenant', 'tenant-blue']], 'at tenant-blue')).toBe('at [secret]');
  });

  test('hides a short value after the name of its header', () => {
    const headers = [['X-Tenant', 'a+b']] as const;
    expect(redactAll(headers, '{"x-tenant":"a+b","name":"a+b"} X-Tenant: a+b')).toBe(
      '{"x-tenant":"[secret]","name":"a+b"} X-Tenant: [secret]',
    );
    expect(redactAll(headers, 'a+b', 'x-tenant')).toBe('[secret]');
  });
});

describe('showText', () => {
  test('hides a key that crosses the cut, and is quick for megabytes', () => {
    const text = `${'x'.repeat(3_990)}${KEY}${'y'.repeat(5e6)}`;
    const shown = showText(text, redact);
    expect(shown).not.toContain(KEY.slice(0, 8));
    expect(shown).toMatch(/more characters\)$/);
    expect(processorTime(() => showText(text, redact))).toBeLessThan(500);
  });
});

describe('cleanText', () => {
  test('spells out invisible characters, which programs may read differently than people', () => {
    const hidden = [...'ignore'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
    const shown = cleanText(`rex${hidden}`);
    expect(shown).toMatch(/^rex(?:\\udb40\\udc[0-9a-f]{2}){6}$/);
    expect(JSON.parse(`"${shown}"`)).toBe(`rex${hidden}`);
    expect(cleanText('a\u200bb\u00adc\ufeffd\u2060e')).toBe('a\\u200bb\\u00adc\\ufeffd\\u2060e');
  });

  test('keeps the joiners of emoji', () => {
    expect(cleanText('👩\u200d🔬 ❤\ufe0f')).toBe('👩\u200d🔬 ❤\ufe0f');
  });

  test('spells out control and direction characters and mends lone surrogates', () => {
    expect(cleanText('a\u001b[2J\u0000\u202eb\u009b\rc\ud800\td\n')).toBe('a\\u001b[2J\\u0000\\u202eb\\u009b\\u000dc\ufffd\td\n');
  });
});
