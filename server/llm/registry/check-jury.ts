import { refused } from '../../platform';
import { familyOf } from './family';

/**
 * Checks jury members and mission judges before they are stored, each given with the path of its
 * field. A judge judges only work of other model families. If its own family cannot be derived from
 * its name, it would never judge, so it is refused here instead of being skipped later.
 * @throws AssayError refused, naming the field
 */
export function checkJudgeFamilies(
  members: readonly (readonly [path: string, spec: string])[],
): void {
  const details = members.flatMap(([path, spec]) => {
    if (familyOf(spec.split('?', 1)[0] ?? spec) !== null) return [];
    const message = `must name a model of a known family (gpt, claude, gemini, llama, mistral, qwen, deepseek …), not "${spec}": a judge may not judge work of its own family; the default judge may be of an unknown family`;
    return [{ path, message }];
  });
  const [first] = details;
  if (first !== undefined) throw refused(`${first.path}: ${first.message}`, details);
}
