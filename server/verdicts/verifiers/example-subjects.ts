/**
 * Examples that are used to draw a plan while a project has no subject of the kind, in the format
 * of the verify routes.
 */
export const exampleSubjects: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['integrity', { output: '', envelope: null, sources: [], userText: [], repromptUsed: false }],
  [
    'task',
    {
      task_description: 'Summarise the risks of the plan.',
      success_criteria: [
        { check: 'required_sections', value: ['Risks', 'Next steps'] },
        { check: 'max_length', value: 4000, must_pass: false },
        { text: 'Every risk names an owner', must_pass: true, weight: 2 },
        { text: 'The tone suits a board' },
      ],
      task_output: '# Risks\nThe owner of the migration is not named.\n# Next steps\nName one.',
    },
  ],
  [
    'consistency',
    {
      outputs: [
        { task_id: 'plan', output: 'The migration takes two weeks.' },
        { task_id: 'budget', output: 'One week of migration is budgeted.' },
        { task_id: 'summary', output: 'The migration is budgeted.' },
      ],
    },
  ],
  [
    'mission',
    {
      mission_id: 'example',
      description: 'Plan the migration.',
      tasks: [
        { task_id: 'plan', description: 'Write the plan', output: 'It takes two weeks.' },
        { task_id: 'budget', description: 'Estimate the budget', output: 'One week.' },
      ],
    },
  ],
  [
    'decomposition',
    {
      query: 'Plan the migration and say what it costs',
      complexity: 'MEDIUM',
      decomposition: {
        goal: 'A plan of the migration with its budget',
        subgoals: [
          { id: 'plan', description: 'Write the plan', agent: 'planner' },
          {
            id: 'budget',
            description: 'Estimate the budget',
            agent: 'estimator',
            depends_on: ['plan'],
            requires: ['ledger'],
          },
        ],
        execution_order: [{ phase: 'sequential', subgoals: ['plan', 'budget'] }],
      },
      agents: [
        { name: 'planner', capabilities: ['write'] },
        { name: 'estimator', capabilities: ['estimate'], tools: ['ledger'] },
      ],
    },
  ],
  [
    'agent-output',
    {
      subgoal: {
        id: 'budget',
        description: 'Estimate the budget of the migration',
        critical: true,
      },
      output: {
        agent: 'estimator',
        summary: 'The migration is budgeted with one week.',
        data: { weeks: 1 },
        confidence: 0.8,
        tools_used: ['ledger'],
        metadata: {},
      },
      agents_available: ['estimator', 'planner'],
    },
  ],
  [
    'turn',
    {
      messages: [
        { role: 'user', content: 'Why does the migration stop?' },
        { role: 'assistant', content: 'I look at the log.' },
      ],
      completion: 'The migration is done.',
    },
  ],
  [
    'synthesis',
    {
      query: 'How long does the migration take, and what does it cost?',
      answer: 'The migration takes two weeks. It is budgeted with 4000 EUR.',
      agent_outputs: [
        { id: 'plan', agent: 'planner', summary: 'The migration takes two weeks.', data: {} },
        {
          id: 'budget',
          agent: 'estimator',
          summary: 'The budget of the migration is one week.',
          data: { weeks: 1 },
        },
      ],
    },
  ],
]);
