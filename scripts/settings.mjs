// The operator's settings, and the environment of every Assay process.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isPackage, resolveDataDir } from './data-dir.mjs';
import { Failure, codeOf } from './failure.mjs';
import { isRoot } from './ordinary-user.mjs';

/**
 * @typedef {object} Settings
 * @property {string} dataDir
 * @property {string} host the address on which web and edge listen
 * @property {number} webPort
 * @property {number} edgePort
 * @property {string} webUrl for people
 * @property {string} edgeUrl for machines
 */

/**
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Settings}
 */
export function readSettings(env = process.env) {
  const webPort = readPort('ASSAY_WEB_PORT', 3000, env);
  const edgePort = readPort('ASSAY_EDGE_PORT', 4318, env);
  if (webPort === edgePort)
    throw new Failure(
      `ASSAY_WEB_PORT and ASSAY_EDGE_PORT are both ${webPort}: give them different ports.`,
    );
  const host = env.ASSAY_HOST || '127.0.0.1';
  const webUrl = env.ASSAY_WEB_URL || `http://localhost:${webPort}`;
  return {
    dataDir: resolveDataDir(env),
    host,
    webPort,
    edgePort,
    webUrl,
    edgeUrl: `http://localhost:${edgePort}`,
  };
}

/**
 * @param {string} name
 * @param {number} otherwise
 * @param {NodeJS.ProcessEnv} env
 * @returns {number}
 */
function readPort(name, otherwise, env) {
  const text = env[name];
  if (!text) return otherwise;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Failure(`${name} is "${text}": it must be a port from 1 to 65535.`);
  return port;
}

/** @returns {string} the command line, as called in this folder */
function commandHere() {
  if (!isPackage) return './assay';
  const packageCommand = 'node_modules/.bin/assay';
  return existsSync(join(process.cwd(), packageCommand)) ? packageCommand : 'assay';
}

/**
 * @param {Settings} settings
 * @param {{ secret: string, databaseUrl: string }} facts
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnv(settings, { secret, databaseUrl }) {
  return {
    ...process.env,
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    DATABASE_URL: databaseUrl,
    ASSAY_SECRET: secret,
    ASSAY_DATA_DIR: settings.dataDir,
    ASSAY_HOST: settings.host,
    ASSAY_WEB_PORT: String(settings.webPort),
    ASSAY_EDGE_PORT: String(settings.edgePort),
    ASSAY_WEB_URL: settings.webUrl,
    ASSAY_COMMAND: process.env.ASSAY_COMMAND || commandHere(),
  };
}

/**
 * @param {{ host: string, port: number, who: string, variable: string }} input
 * @returns {Promise<void>} rejects with a Failure if the port is unavailable
 */
export function checkPort({ host, port, who, variable }) {
  return new Promise((resolve, reject) => {
    const refused = new Failure(
      `Port ${port} (${who}) may not be opened by this user: set ${variable} to a port above 1023.`,
    );
    // Root may open it here, but the process that will listen on it is not root.
    if (isRoot() && port < firstOpenPort()) return reject(refused);
    const server = createServer();
    server.once('error', (error) => {
      const code = codeOf(error);
      if (code === 'EADDRINUSE') {
        reject(
          new Failure(
            `Port ${port} (${who}) is in use: stop the process that uses it, or set ${variable} to another port.`,
          ),
        );
      } else if (code === 'EACCES') {
        reject(refused);
      } else {
        reject(
          new Failure(
            `Assay cannot listen on ${host}:${port} (${who}): ${error.message}. Set ASSAY_HOST to an address of this machine.`,
          ),
        );
      }
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve()));
  });
}

/** @returns {number} the first port that needs no privilege; 0 if the system does not report it */
function firstOpenPort() {
  try {
    return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
  } catch {
    return 0;
  }
}
