import type { GateFile } from '../gate';
import { findProgram } from '../tools';
import { type CompileEnd, type CompileGate, type LeftOut, onlyEnvironmental } from './compile-gate';
import { goChecker, goCheckerPath } from './go-checker';
import { goOf, newerGo, readableGoMod } from './go-versions';

/**
 * No network, no cgo (it runs a C compiler with the code's flags), and only the installed
 * toolchain.
 */
const env = {
  GOPROXY: 'off',
  // All errors, not the first ten.
  GOFLAGS: '-mod=mod -gcflags=-e',
  GOCACHE: '/tmp/go-cache',
  GOPATH: '/tmp/go',
  GOTOOLCHAIN: 'local',
  GOENV: 'off',
  GOWORK: 'off',
  GOTELEMETRY: 'off',
  GONOSUMDB: '*',
  CGO_ENABLED: '0',
};

const noModules = 'The code needs modules that a box without network cannot fetch.';
const olderGo = 'The code requires a newer Go than the installed one.';
const brokenGo = 'The installed Go does not work.';
// Anchored at the start of the line: quoted text of the code comes after the position of an error.
const missingPackage =
  /^(?:go: |\t)?(?:[^\s:"]+\.go:\d+:\d+: |[^\s:"]+: )?(?:cannot find module providing package|no required module provides package|missing go\.sum entry for module providing package) ([^\s:;]+)/;
const noLookup =
  /^(?:go: |[^\s:]+\.go:\d+:\d+: )(?:[^\s:]+@[^\s:]+: )?module lookup disabled by GOPROXY=off$/;
const newer =
  /^go\.mod:\d+: invalid go version |^go: (?:errors parsing|go\.mod requires go >= )|^go: [^\n]* requires go >= /;

/** Lines that repeat or accompany a diagnostic, and are never one. */
const aside =
  /^(?:go: (?:finding module|downloading) |\t?(?:go (?:get|mod) )|note: module requires Go |# |\t|$)/;

function explain(line: string, module: string, isNewer: boolean): string | null {
  const name = missingPackage.exec(line)?.[1];
  if (name !== undefined)
    return name === module || name.startsWith(`${module}/`) ? null : noModules;
  if (noLookup.test(line)) return noModules;
  if (newer.test(line)) return olderGo;
  const gained = newerGo(line, isNewer);
  if (gained !== null) return gained;
  return /^go: (?:cannot find GOROOT directory|GOROOT|open \/usr\/lib\/go)/.test(line)
    ? brokenGo
    : null;
}

/** Go compiles modules only; files without one get a module around them. */
function withModule(files: readonly GateFile[]): readonly GateFile[] {
  const isModule = ({ path }: GateFile): boolean => path === 'go.mod' || path.endsWith('/go.mod');
  const readable = files.map((file) =>
    isModule(file) ? { ...file, content: readableGoMod(file.content) } : file,
  );
  return files.some(isModule) ? readable : [...files, { path: 'go.mod', content: 'module box\n' }];
}

const moduleOf = (files: readonly GateFile[]): string =>
  /^\s*module\s+"?([^\s"]+)/m.exec(
    files.find(({ path }) => path === 'go.mod')?.content ?? '',
  )?.[1] ?? 'box';

function environmentFault({ stderr, report, files, version }: CompileEnd): string | null {
  const isNewer = asksForNewer(files, version);
  const explained = (line: string): string | null => explain(line, moduleOf(files), isNewer);
  const reason = onlyEnvironmental(stderr, { diagnostic: /^/, summary: aside, explain: explained });
  if (reason === null || reason === brokenGo || report === '') return reason;
  // Files that the build did not reach.
  const [last, ...lines] = report.trimEnd().split('\n').toReversed();
  return last === 'checked' && lines.every((line) => explained(line) !== null) ? reason : null;
}

function asksForNewer(files: readonly GateFile[], version: string | null): boolean {
  const requiredGo = goOf(files.find(({ path }) => path === 'go.mod')?.content ?? '');
  const [, major, minor] = /\bgo(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (requiredGo === null || major === undefined) return false;
  return (
    requiredGo[0] > Number(major) ||
    (requiredGo[0] === Number(major) && requiredGo[1] > Number(minor))
  );
}

/** @param report one absolute path per line, of all compiled files */
function leftOut({ report, files }: CompileEnd): readonly LeftOut[] {
  const compiled = new Set(report.split('\n'));
  return files
    .filter(({ path }) => /\.go$/i.test(path) && !compiled.has(`/box/${path}`))
    .map(({ path }) => ({
      path,
      why: 'its name, its folder, a build constraint or cgo leaves it out',
    }));
}

function goGate(verb: 'build' | 'vet'): CompileGate {
  return {
    language: 'go',
    command: `go ${verb} ./...`,
    find: () => findProgram('go', ['version']),
    missing: 'Go is not installed on this machine.',
    prepare(files) {
      const lists = ['GoFiles', 'TestGoFiles', 'XTestGoFiles'].map(
        (name) => `{{range .${name}}}{{$.Dir}}/{{.}}{{"\\n"}}{{end}}`,
      );
      // `go build` compiles no tests; `go list -test -export` compiles them without building
      // programs.
      const hasTests = verb === 'build' && files.some(({ path }) => path.endsWith('_test.go'));
      return {
        args: [verb, './...'],
        files: withModule(files),
        env,
        tools: [{ path: goCheckerPath, content: goChecker }],
        ask: {
          whenPassed: `"$0" list ${hasTests ? '-test -export ' : ''}-f '${lists.join('')}' ./...`,
          // Outside the module, whose settings do not apply to the checker.
          whenFailed: `cd /tmp && "$0" run ${goCheckerPath} 2>&1`,
        },
      };
    },
    environmentFault,
    leftOut,
  };
}

export const goGates: readonly CompileGate[] = [goGate('build'), goGate('vet')];
