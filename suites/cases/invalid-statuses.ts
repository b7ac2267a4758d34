import { having, type InvalidBody } from './invalid-body.ts';

export const WRONG_STATUSES: readonly InvalidBody[] = [
  ...[
    'unknown',
    'Available',
    'SOLD',
    ' available',
    'sold ',
    'sold\n',
    '',
    'available,sold',
    'null',
    'avail',
    '0',
    '1',
    'constructor',
    'sold\u0000',
    // Copied into an Error message without escaping, it ends the string early.
    'so"ld\\',
    'ｓｏｌｄ',
    // A Cyrillic o.
    's\u043eld',
    'adopted',
    'a'.repeat(300),
  ].map((text) => having('status', JSON.stringify(text), text)),
  having('status', '1', 1),
  having('status', '0', 0),
  having('status', '1.5', 1.5),
  having('status', 'true', true),
  having('status', 'false', false),
  having('status', '[]', []),
  having('status', '["sold"]', ['sold']),
  having('status', '{}', {}),
  having('status', '{"value":"sold"}', { value: 'sold' }),
  having('status', '{"sold":null}', { sold: null }),
];

export const NULL_STATUSES: readonly InvalidBody[] = [having('status', 'null', null)];
