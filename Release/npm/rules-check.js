#!/usr/bin/env node
// Runs the program of the package for this platform, in the place of this process as far as Node can.
"use strict";

const { spawnSync } = require("child_process");
const { constants } = require("os");

const name = `rules-check-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/rules-check`);
} catch {
  console.error(
    `rules-check: the package ${name} is not installed; either there is none for this platform, or ` +
      "optional dependencies were left out"
  );
  process.exit(2);
}
// The terminal sends its signals to both; the program answers them.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`rules-check: ${program}: ${error.message}`);
  process.exit(2);
}
process.exit(status === null ? 128 + constants.signals[signal] : status);
