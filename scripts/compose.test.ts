// Requirements on deploy/ beyond the commands that e2e/compose.spec.ts runs: users, limits, health,
// and variables that exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { isVariable } from '../testing/product-variables';
import { root } from './data-dir.mjs';

const read = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8');
const Service = z.object({
  image: z.string(),
  restart: z.string(),
  command: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  healthcheck: z
    .object({ interval: z.string(), timeout: z.string(), retries: z.number() })
    .optional(),
  deploy: z
    .object({ resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string() }) }) })
    .optional(),
  environment: z.record(z.string(), z.string()).default({}),
});
const { services } = z
  .object({ services: z.record(z.string(), Service) })
  .parse(parse(read('compose.yaml'), { merge: true }));
const lasting = Object.entries(services).filter(([name]) => name !== 'migrate');
const own = Object.entries(services).filter(([name]) => !['postgres', 'redis'].includes(name));
const exampleNames = [...read('env.example').matchAll(/^([A-Z_]+)=/gm)].map(
  (match) => match[1] ?? '',
);

describe('deploy/compose.yaml', () => {
  test.each(lasting)('%s is restarted, health-checked, and limited', (_name, service) => {
    expect(service.restart).toBe('unless-stopped');
    expect(service.healthcheck).toBeDefined();
    expect(service.deploy?.resources.limits).toBeDefined();
  });

  test.each(own)(
    '%s has no capability, gains none, and is started by Node itself',
    (_name, service) => {
      expect(service.cap_drop).toEqual(['ALL']);
      expect(service.security_opt).toContain('no-new-privileges:true');
      expect(service.command.slice(0, 2)).toEqual(['node', 'scripts/assay.mjs']);
    },
  );

  test('only the console and the edge are published, and by default on this machine alone', () => {
    expect(
      Object.fromEntries(Object.entries(services).map(([name, { ports }]) => [name, ports.length])),
    ).toEqual({
      postgres: 0,
      redis: 0,
      migrate: 0,
      web: 1,
      edge: 1,
      worker: 0,
    });
    for (const { ports } of Object.values(services))
      for (const port of ports) expect(port).toMatch(/^\$\{ASSAY_PUBLISH:-127\.0\.0\.1\}:/);
  });

  test('every variable that it uses is in env.example, or has a default', () => {
    const needed = [...read('compose.yaml').matchAll(/\$\{([A-Z_]+):\?/g)].map(
      (match) => match[1] ?? '',
    );
    expect(needed.length).toBeGreaterThan(1);
    expect(needed.filter((name) => !exampleNames.includes(name))).toEqual([]);
  });

  test('every variable of Assay that it or env.example sets is one that Assay reads', () => {
    const set = new Set([
      ...own.flatMap(([, { environment }]) => Object.keys(environment)),
      ...exampleNames,
    ]);
    // These are of the compose file and of the images.
    const others = [
      'ASSAY_PUBLISH',
      'ASSAY_PUBLISH_WEB',
      'ASSAY_PUBLISH_EDGE',
      'POSTGRES_PASSWORD',
    ];
    expect([...set].filter((name) => !others.includes(name) && !isVariable(name))).toEqual([]);
  });

  test('each process of Assay keeps its data folder, which has its list of deletions', () => {
    const kept = own.filter(([name]) => name !== 'migrate');
    expect(Object.fromEntries(kept.map(([name, { volumes }]) => [name, volumes]))).toEqual({
      web: ['web:/var/lib/assay'],
      edge: ['edge:/var/lib/assay'],
      worker: ['worker:/var/lib/assay'],
    });
  });

  test('no secret has a default, and no container runs as root', () => {
    expect(read('env.example')).toMatch(/^POSTGRES_PASSWORD=$/m);
    expect(read('env.example')).toMatch(/^ASSAY_SECRET=$/m);
    expect(read('Dockerfile').match(/^USER .*$/gm)).toEqual(['USER node']);
    expect(readFileSync(join(root, '.gitignore'), 'utf8')).toMatch(/^deploy\/\.env$/m);
    expect(readFileSync(join(root, '.dockerignore'), 'utf8')).toMatch(/^deploy\/\.env$/m);
  });
});
