import type { Decomposition, KnownAgent, Subgoal, PlanContext } from './decomposition';
import { type Findings, quotedName } from './findings';
import { partName } from './parts';

/** Agents that accept any subgoal, whether or not they are listed (SOAR-15). */
const fallbackAgents = ['generic-executor', 'llm-executor'] as const;
const FALLBACKS = fallbackAgents.join('" or "');

const EVERYTHING = 'all';

interface AgentSkills {
  /** Capabilities and tools; null means everything. */
  readonly skills: ReadonlySet<string> | null;
  /** Null means everywhere. */
  readonly allowedIn: ReadonlySet<string> | null;
}

/**
 * Whether the agents exist, have the requirements of their subgoals, and may work in this
 * environment (SOAR-14). Linear.
 */
export function checkAgents(
  { subgoals }: Decomposition,
  { agents, environment }: PlanContext,
  findings: Findings,
): void {
  if (agents === null) {
    if (subgoals.length > 0) {
      findings.add({
        code: 'agents_unchecked',
        message:
          'The list of agents is unknown: whether the named agents exist and can do their subgoals was not checked',
        severity: 'low',
        faulty: false,
        path: 'agents',
        advice: 'Hand over the agents that there are, with what they can do.',
      });
    }
    return;
  }
  const known = knownOf(agents);
  const where = environment === null || environment.trim() === '' ? null : environment;
  for (const [i, subgoal] of subgoals.entries()) {
    const agentSkills = subgoal.agent === null ? undefined : known.get(folded(subgoal.agent));
    if (agentSkills === undefined) addUnknown(subgoal, i, findings);
    else checkAgent(subgoal, i, agentSkills, where, findings);
  }
}

/**
 * By folded name. Agents of the same name share all their skills; a listed fallback has only the
 * listed skills.
 */
function knownOf(agents: readonly KnownAgent[]): ReadonlyMap<string, AgentSkills> {
  const byName = new Map<string, KnownAgent[]>();
  for (const agent of agents) {
    const name = folded(agent.name);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [agent]);
    else same.push(agent);
  }
  const known = new Map<string, AgentSkills>(
    fallbackAgents.map((name) => [folded(name), { skills: null, allowedIn: null }]),
  );
  for (const [name, same] of byName) known.set(name, holdingsOf(same));
  return known;
}

function addUnknown({ id, agent }: Subgoal, i: number, findings: Findings): void {
  const path = `decomposition.subgoals[${i}].agent`;
  const advice = `Choose an agent that there is for ${partName(id, i)}, or fall back to "${FALLBACKS}".`;
  if (agent === null) {
    const message = `No agent is named for ${partName(id, i)}`;
    findings.add({ code: 'no_agent', message, severity: 'low', faulty: false, path, advice });
    return;
  }
  const message = `The agent ${quotedName(agent)} of ${partName(id, i)} is none of those that there are`;
  findings.add({ code: 'unknown_agent', message, severity: 'medium', faulty: false, path, advice });
}

function checkAgent(
  { id, agent, requires }: Subgoal,
  i: number,
  { skills, allowedIn }: AgentSkills,
  where: string | null,
  findings: Findings,
): void {
  const lacking =
    skills === null ? [] : [...new Set(requires)].filter((each) => !skills.has(folded(each)));
  const named = quotedName(agent ?? '');
  if (lacking.length > 0) {
    const what = lacking.slice(0, 5).map(quotedName).join(', ');
    findings.add({
      code: 'missing_capability',
      message: `The agent ${named} lacks ${what}, which ${partName(id, i)} requires`,
      severity: 'medium',
      faulty: false,
      path: `decomposition.subgoals[${i}].requires`,
      advice: `Give ${partName(id, i)} to an agent that has ${what}, or fall back to "${FALLBACKS}".`,
    });
  }
  if (where !== null && allowedIn !== null && !allowedIn.has(folded(where))) {
    findings.add({
      code: 'agent_not_allowed',
      message: `The agent ${named} of ${partName(id, i)} may not work in the environment ${quotedName(where)}`,
      severity: 'high',
      faulty: false,
      path: `decomposition.subgoals[${i}].agent`,
      advice: `Give ${partName(id, i)} to an agent that is allowed in ${quotedName(where)}.`,
    });
  }
}

function holdingsOf(same: readonly KnownAgent[]): AgentSkills {
  const skills = new Set(
    same.flatMap(({ capabilities, tools }) => [...capabilities, ...tools].map(folded)),
  );
  const isAble = same.some(({ capabilities }) =>
    capabilities.some((each) => folded(each) === EVERYTHING),
  );
  const isFree = same.some(({ allowed_in: allowedIn }) => allowedIn === null);
  return {
    skills: isAble ? null : skills,
    allowedIn: isFree
      ? null
      : new Set(same.flatMap(({ allowed_in: allowedIn }) => allowedIn ?? []).map(folded)),
  };
}

/** Ignores case, width and word separators: `Code_Analyzer` is `code-analyzer`. */
function folded(name: string): string {
  return name
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, '-');
}
