import type { CodeFile } from '../gate';
import { findProgram } from '../tools';
import { type CompileGate, firstFault } from './compile-gate';

/** No network, no cgo (it runs a C compiler with flags of the code's own), no other toolchain than the one that is here. */
const env = {
  GOPROXY: 'off',
  GOFLAGS: '-mod=mod',
  GOCACHE: '/tmp/go-cache',
  GOPATH: '/tmp/go',
  GOTOOLCHAIN: 'local',
  GOENV: 'off',
  GOTELEMETRY: 'off',
  GONOSUMDB: '*',
  CGO_ENABLED: '0',
};

const faults = [
  [
    /module lookup disabled by GOPROXY=off|cannot find module providing package|no required module provides package/,
    'The code needs modules that a box without network cannot fetch.',
  ],
  [/module requires Go \d|invalid go version|requires go >= /, 'The code asks for a newer Go than the one that is installed.'],
  [/GOROOT|permission denied: .*\/usr\/lib\/go/, 'The installed Go does not work.'],
] as const;

/** Go compiles modules only; files without one get a module around them. */
function withModule(files: readonly CodeFile[]): readonly CodeFile[] {
  const hasModule = files.some(({ path }) => path === 'go.mod' || path.endsWith('/go.mod'));
  return hasModule ? files : [...files, { path: 'go.mod', content: 'module box\n' }];
}

function goGate(verb: 'build' | 'vet'): CompileGate {
  return {
    language: 'go',
    command: `go ${verb} ./...`,
    find: () => findProgram('go', ['version']),
    missing: 'Go is not installed on this machine.',
    prepare: (files) => ({ args: [verb, './...'], files: withModule(files), env }),
    environmentFault: (output) => firstFault(output, faults),
    idle: (output) => (/matched no packages/.test(output) ? 'No file was compiled: all are left out by their names or build tags.' : null),
  };
}

export const goGates: readonly CompileGate[] = [goGate('build'), goGate('vet')];
