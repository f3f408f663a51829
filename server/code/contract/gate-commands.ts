import type { GateLanguage } from '../../domain';
import { gateLanguages } from '../gates/languages';
import type { NounHit } from './keywords';

/** Commands that prove files of a language, as in QEL-27. */
const compileCommands: Readonly<Record<GateLanguage, readonly string[]>> = {
  typescript: ['npx tsc --noEmit --skipLibCheck 2>&1'],
  python: ['python -m compileall -q . 2>&1'],
  go: ['go build ./...', 'go vet ./...'],
  rust: ['cargo check 2>&1'],
  java: ["find . -name '*.java' -maxdepth 3 -exec javac {} + 2>&1"],
  csharp: ['dotnet build 2>&1'],
};

/** Words before "tests" that request them, instead of mentioning them. */
const asksForTests =
  /\b(?:with|and|plus|including|include|add|write|create|unit|mit|avec|con|have|has)[\s-]{1,4}(?:[a-zà-ÿ]{1,20}\s{1,4}){0,2}$/i;
const BEFORE_CHARS = 50;

/** Commands for the files of a contract, and for the requested tests (QEL-27). */
export function gateCommands(
  request: string,
  nouns: readonly NounHit[],
  deliverables: readonly string[],
): string[] {
  const found = new Set(gateLanguages(deliverables));
  return [
    ...[...found].flatMap((language) => compileCommands[language]),
    ...testCommands(runnersIn(request, nouns), found),
  ];
}

function testCommands(requested: ReadonlySet<string>, found: ReadonlySet<GateLanguage>): string[] {
  if (requested.size === 0) return [];
  const commands: string[] = [];
  if (found.has('python'))
    commands.push(
      requested.has('unittest') && !requested.has('pytest') ? 'python -m unittest' : 'pytest',
    );
  if (found.has('typescript')) commands.push(requested.has('jest') ? 'npx jest' : 'npx vitest run');
  return commands;
}

/** Runners by name, and `tests` if they are requested without one. */
function runnersIn(request: string, nouns: readonly NounHit[]): Set<string> {
  const requested = new Set<string>();
  for (const { kind, word, at, end } of nouns) {
    if (kind !== 'test') continue;
    if (!/^(?:tests?|pruebas)$/.test(word)) requested.add(word);
    else if (
      /^\s{1,4}suite\b/i.test(request.slice(end, end + 12)) ||
      asksForTests.test(request.slice(Math.max(0, at - BEFORE_CHARS), at))
    )
      requested.add('tests');
  }
  return requested;
}
