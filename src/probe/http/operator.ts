import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { isJsonObject } from '../../wire/json.ts';
import { milliseconds } from '../config/target-config.ts';
import type { Monitor } from '../monitor.ts';
import { cut } from '../text.ts';
import { isFromBrowser } from './guard.ts';
import { windowJson } from './status-json.ts';

/** Bytes: more than a few sentences need. */
const LARGEST_BODY = 16 * 1024;
/** Characters. */
const LONGEST_TEXT = 200;
const DURATION = /^[1-9]\d{0,4}(?:ms|s|m|h)$/;

type Fields = Readonly<Record<string, unknown>>;
type Read<Value> = { readonly value: Value } | { readonly problem: string };

/** The body of a request as an object with only known members: with `target` instead of `targets`, a window would apply to all targets. */
async function fieldsOf(incoming: AsyncIterable<Uint8Array>, known: readonly string[]): Promise<Read<Fields>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > LARGEST_BODY) return { problem: `expected at most ${LARGEST_BODY} bytes` };
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    if (isJsonObject(value)) {
      const unknown = Object.keys(value).find((name) => !known.includes(name));
      return unknown === undefined
        ? { value }
        : { problem: `${JSON.stringify(cut(unknown, LONGEST_TEXT))} is unknown: expected ${known.join(', ')}` };
    }
  } catch {
    // Reported below: what is not JSON is not an object either.
  }
  return { problem: 'expected a JSON object' };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_TEXT;
const isOptional = (value: unknown): value is string | undefined => value === undefined || isText(value);

function problemOf(name: string, wanted: string, fields: Fields): { readonly problem: string } {
  return { problem: `"${name}": expected ${wanted}, ${fields[name] === undefined ? 'but it is missing' : 'received something else'}` };
}

type Wanted = Parameters<Monitor['maintenance']['begin']>[0];

function windowIn(fields: Fields, names: readonly string[]): Read<Wanted> {
  const { reason, duration, targets = [] } = fields;
  if (!isText(reason)) return problemOf('reason', `a text of at most ${LONGEST_TEXT} characters`, fields);
  if (typeof duration !== 'string' || !DURATION.test(duration))
    return problemOf('duration', 'a number and a unit (ms, s, m, h), such as 90m', fields);
  const isName = (name: unknown): name is string => names.some((one) => one === name);
  if (!Array.isArray(targets)) return problemOf('targets', 'a list of names of configured targets', fields);
  if (!targets.every(isName))
    return {
      problem: `"targets": no target has the name ${JSON.stringify(cut(String(targets.find((name) => !isName(name))), LONGEST_TEXT))}`,
    };
  return { value: { reason, duration: milliseconds(duration), targets } };
}

function takerIn(fields: Fields): Read<{ readonly target: string; readonly by: string; readonly note: string | null }> {
  const { target, by, note } = fields;
  if (typeof target !== 'string') return problemOf('target', 'the name of a target', fields);
  if (!isText(by)) return problemOf('by', `who takes the incident over, in at most ${LONGEST_TEXT} characters`, fields);
  if (!isOptional(note)) return problemOf('note', `a text of at most ${LONGEST_TEXT} characters`, fields);
  return { value: { target, by, note: note ?? null } };
}

export function operatorRoutes(app: Hono<{ Bindings: HttpBindings }>, monitor: Monitor): void {
  for (const route of ['/api/maintenance', '/api/maintenance/:id', '/api/acknowledge'])
    app.use(route, async (context, next) => (isFromBrowser(context) ? context.text('not from a browser\n', 403) : next()));
  app.post('/api/maintenance', async (context) => {
    const fields = await fieldsOf(context.env.incoming, ['reason', 'duration', 'targets']);
    const names = monitor.config().targets.map(({ name }) => name);
    const read = 'problem' in fields ? fields : windowIn(fields.value, names);
    if ('problem' in read) return context.text(`${read.problem}\n`, 400);
    const window = monitor.maintenance.begin(read.value);
    return window === undefined ? context.text('too many windows are open\n', 409) : context.json(windowJson(window), 201);
  });
  app.delete('/api/maintenance/:id', (context) => {
    const window = monitor.maintenance.end(context.req.param('id'));
    return window === undefined ? context.text('no window has that id; see /api/status\n', 404) : context.json(windowJson(window));
  });
  app.post('/api/acknowledge', async (context) => {
    const fields = await fieldsOf(context.env.incoming, ['target', 'by', 'note']);
    const read = 'problem' in fields ? fields : takerIn(fields.value);
    if ('problem' in read) return context.text(`${read.problem}\n`, 400);
    const { target, ...taker } = read.value;
    const known = monitor.config().targets.find(({ name }) => name === target);
    if (known === undefined) return context.text('no target with that name is configured\n', 404);
    return monitor.acknowledge(known, taker) ? context.text('acknowledged\n') : context.text(`${target} has no open incident\n`, 409);
  });
}
