import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { isMainThread } from 'node:worker_threads';

/** With `--import`: writes the URLs of all modules that the main thread of a program loads to the file that NOTED_IMPORTS names. */
const file = process.env['NOTED_IMPORTS'];
if (isMainThread && file !== undefined) {
  const loaded: string[] = [];
  registerHooks({
    load(url, context, next) {
      loaded.push(url);
      return next(url, context);
    },
  });
  process.on('exit', () => writeFileSync(file, JSON.stringify(loaded)));
}
