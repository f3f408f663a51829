import { refused } from '../../platform';
import { familyOf } from './family';

/**
 * Members of a jury and judges of missions that are to be stored, each with the path of its field.
 * They judge only work of other families, so that one whose name does not tell its family would
 * never judge: it is refused here, and not left out later.
 * @throws AssayError refused, naming the field
 */
export function checkJudgeFamilies(
  members: readonly (readonly [path: string, spec: string])[],
): void {
  const details = members.flatMap(([path, spec]) => {
    if (familyOf(spec.split('?', 1)[0] ?? spec) !== null) return [];
    const message = `the name of "${spec}" does not tell its family, so it could judge no work: name a model of a known family (gpt, claude, gemini, llama, mistral, qwen, deepseek …), or make it the default judge`;
    return [{ path, message }];
  });
  const [first] = details;
  if (first !== undefined) throw refused(`${first.path}: ${first.message}`, details);
}
