// deploy/kubernetes without a cluster: the commands and probes of its Pods from the base, with the
// variables of the example overlay, against PostgreSQL and Redis of this machine.
import { expect, test } from '@playwright/test';
import {
  type Container,
  type Probe,
  readKustomization,
  readProcesses,
  readSecretExample,
  readVariables,
} from '../testing/manifests';
import { readCompose } from './compose-file';
import { createLocalServices, type LocalServices, missing, type Service } from './local-services';
import { verifyOnServices } from './verify-on-services';

const password = 'ofkubernetes0123456789';
let local: LocalServices | null = null;

test.afterAll(() => local?.remove());

/** The values that an operator writes into secret.env; the rest is as in the example. */
function readSecret(): Record<string, string> {
  const example = readSecretExample();
  return {
    ...example,
    DATABASE_URL: example.DATABASE_URL?.replace('PASSWORD', password) ?? '',
    ASSAY_SECRET: 'secret-of-the-kubernetes-test-0123456789',
  };
}

/** A probe as a command. The kubelet also accepts redirects, which none of these is. */
function commandOf({ httpGet, exec }: Probe, container: Container): readonly string[] {
  if (httpGet === undefined) return exec?.command ?? [];
  const port = container.ports.find(({ name }) => name === httpGet.port)?.containerPort;
  return ['node', 'scripts/healthy.mjs', `http://127.0.0.1:${port}${httpGet.path}`];
}

/** The init container and the container of each Pod. */
function readPods(): Record<string, Service> {
  const variables = {
    ...readVariables(
      ['base', 'overlays/example'].flatMap((name) =>
        readKustomization(name).configMapGenerator.flatMap(({ literals }) => literals),
      ),
    ),
    ...readSecret(),
  };
  const pods: Record<string, Service> = {};
  for (const [name, { metadata, spec }] of readProcesses()) {
    const { initContainers, containers } = spec.template.spec;
    for (const [container, needs] of [
      ...initContainers.map((one) => [one, ['postgres', 'redis']] as const),
      ...containers.map(
        (one) => [one, initContainers.map((init) => `${name}-${init.name}`)] as const,
      ),
    ]) {
      const { startupProbe, livenessProbe, readinessProbe, env } = container;
      const probes = [startupProbe, livenessProbe, readinessProbe].filter(
        (probe) => probe !== undefined,
      );
      pods[container.name === name ? name : `${name}-${container.name}`] = {
        command: container.command,
        environment: {
          ...variables,
          // The name of the first Pod of a StatefulSet.
          ...Object.fromEntries(env.map((one) => [one.name, `${metadata.name}-0`])),
        },
        needs,
        checks: probes.map((probe) => commandOf(probe, container)),
      };
    }
  }
  return pods;
}

test('the Pods of the manifests start, pass their probes, serve, and stop on request', async () => {
  test.skip(missing !== null, missing ?? '');
  test.setTimeout(180_000);
  const compose = readCompose({ POSTGRES_PASSWORD: password, ASSAY_SECRET: 'x'.repeat(32) });
  const { postgres, redis } = compose;
  if (postgres === undefined || redis === undefined) throw new Error('no PostgreSQL or Redis');
  local = await createLocalServices({ postgres, redis, ...readPods() }, [
    'postgres.example.org',
    'redis.example.org',
  ]);
  expect(await local.start()).toEqual([
    'edge',
    'edge-migrate',
    'postgres',
    'redis',
    'web',
    'web-migrate',
    'worker',
    'worker-migrate',
  ]);
  await verifyOnServices(local);
  await local.stop();
});
