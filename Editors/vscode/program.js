// Finds the rules-check program, or downloads the one of the release that this extension belongs to.
'use strict';

const { execFile } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');

const NAME = 'rules-check';
/** Bytes of a program at most; more is refused unread. */
const LARGEST = 1 << 28;

/**
 * Where the program may be, in the order in which it is looked for. A setting stands alone: whoever says where the
 * program is does not want another one. Programs of a workspace are run only if the workspace is trusted.
 */
function places({ setting, folders, trusted, environment, platform, arch, downloaded }) {
  if (setting) {
    const folder = folders[0];
    const isRelative = /[\\/]/.test(setting) && !path.isAbsolute(setting);
    return [isRelative && folder ? path.join(folder, setting) : setting];
  }
  const environments = folders.flatMap((folder) => ['.venv', 'venv', 'env'].map((name) => path.join(folder, name)));
  const own = [
    ...folders.map((folder) => path.join(folder, 'node_modules', `${NAME}-${platform}-${arch}`, 'bin', NAME)),
    ...environments.map((folder) => path.join(folder, 'bin', NAME)),
  ].filter((file) => fs.existsSync(file));
  const active = environment.VIRTUAL_ENV ? [path.join(environment.VIRTUAL_ENV, 'bin', NAME)] : [];
  return [...(trusted ? own : []), ...active, NAME, ...(downloaded ? [downloaded] : [])];
}

/** The version that a program says; undefined if it cannot be run or is another program. */
function versionOf(program) {
  return new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: 10000 }, (error, output) => {
      resolve(error ? undefined : /^rules-check (\d+\.\d+\.\d+)/.exec(String(output))?.[1]);
    });
  });
}

/** The first program that can be run: {path, version}. */
async function find(where) {
  for (const place of places(where)) {
    const version = await versionOf(place);
    if (version) return { path: place, version };
  }
  return undefined;
}

/** What the release has for a machine: {version, url, sha256}; undefined without a release or a build for it. */
function archiveFor(platform, arch, file = path.join(__dirname, 'release.json')) {
  if (!fs.existsSync(file)) return undefined;
  const { version, archives } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const archive = archives[`${platform}-${arch}`];
  return archive && { version, ...archive };
}

/** Where the program of a version is put below a folder. */
function home(folder, version) {
  return path.join(folder, version, NAME);
}

/** Downloads an archive, and unpacks the program if the checksum is the one that came with this extension. */
async function download({ url, sha256, version }, folder, get = fetch) {
  const answer = await get(url, { signal: AbortSignal.timeout(300000) });
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}.`);
  const packed = Buffer.from(await answer.arrayBuffer());
  const digest = crypto.createHash('sha256').update(packed).digest('hex');
  if (digest !== sha256) {
    throw new Error(`${url} has the checksum ${digest}, but this extension expects ${sha256}. It was not unpacked.`);
  }
  const program = home(folder, version);
  fs.mkdirSync(path.dirname(program), { recursive: true });
  const partial = `${program}.${process.pid}`;
  fs.writeFileSync(partial, member(zlib.gunzipSync(packed, { maxOutputLength: LARGEST }), NAME), { mode: 0o755 });
  fs.renameSync(partial, program);
  return program;
}

/** The bytes of a plain file in a tar archive. */
function member(archive, wanted) {
  const text = (start, length) => archive.toString('latin1', start, start + length).replace(/\0.*$/s, '').trim();
  for (let at = 0; at + 512 <= archive.length; ) {
    const size = parseInt(text(at + 124, 12) || '0', 8);
    if (!(size >= 0)) break;
    if (text(at, 100).replace(/^\.\//, '') === wanted && ['', '0'].includes(text(at + 156, 1))) {
      return archive.subarray(at + 512, at + 512 + size);
    }
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`The archive has no ${wanted}.`);
}

module.exports = { archiveFor, download, find, home, member, places, versionOf };
