// Tests of the page: node run.mjs PAGE NATIVE_PROGRAM FOLDER. Without other arguments; `cargo xtask web --test` calls it.

import { check, finish } from './check.mjs';
import { moduleChecks } from './module-checks.mjs';
import { pageChecks } from './page-checks.mjs';

const [page, program, folder] = process.argv.slice(2);
if (!folder) {
  console.error('give the folder of the page, the program in C, and a folder for files, as `cargo xtask web --test` does');
  process.exit(2);
}
const figures = await moduleChecks({ page, program, folder, check });
await pageChecks({ page, program, folder, check, figures });
finish();
