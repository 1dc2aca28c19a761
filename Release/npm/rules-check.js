#!/usr/bin/env node
// Runs the program of the package for this platform, in the place of this process as far as Node can.
"use strict";

const { spawn } = require("child_process");
const { constants } = require("os");

const name = `rules-check-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/rules-check`);
} catch {
  const built = Object.keys(require("../package.json").optionalDependencies);
  const why = built.includes(name)
    ? `the package ${name} is not installed. npm leaves it out with --omit=optional; install again without that.`
    : `there is no build for ${process.platform} on ${process.arch}. SUPPORTED` +
      (process.platform === "win32" ? " On Windows it runs inside WSL: wsl npx rules-check." : "");
  console.error(`rules-check: ${why}`);
  process.exit(2);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A supervisor knows only this process. A terminal sends Ctrl-C to both, and the program, which passes on what
// programs send, would send it to the command of `exec` a second time. The program answers its signals.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
child.on("error", (error) => {
  console.error(`rules-check: ${program}: ${error.message}`);
  process.exit(2);
});
child.on("exit", (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
