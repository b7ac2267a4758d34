import type { MonitorView } from '../view.ts';

/** More than a page has variants that are requested at the same time. */
const MOST_KEPT = 32;

/**
 * Texts of one view, each rendered once while the view is current: a hundred clients of a page cost as much as one. They are kept as bytes,
 * which all responses share: a client that does not read holds no copy of its own.
 */
export function createKeptTexts(): (view: MonitorView, key: string, make: () => string | undefined) => Buffer | undefined {
  let of: MonitorView | undefined;
  const kept = new Map<string, Buffer | undefined>();
  return (view, key, make) => {
    if (of !== view) kept.clear();
    of = view;
    if (kept.has(key)) return kept.get(key);
    const text = make();
    const bytes = text === undefined ? undefined : Buffer.from(text, 'utf8');
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(key, bytes);
    return bytes;
  };
}
