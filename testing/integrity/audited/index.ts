import type { AuditedShape } from './shape';
import { abResults } from './shapes/ab-results';
import { batchLogs } from './shapes/batch-logs';
import { clinicalValues } from './shapes/clinical-values';
import { dailyWeather } from './shapes/daily-weather';
import { electionResults } from './shapes/election-results';
import { energyMeters } from './shapes/energy-meters';
import { exchangeRates } from './shapes/exchange-rates';
import { financialStatement } from './shapes/financial-statement';
import { geographicFacts } from './shapes/geographic-facts';
import { inventory } from './shapes/inventory';
import { invoices } from './shapes/invoices';
import { monthlySeries } from './shapes/monthly-series';
import { nutrition } from './shapes/nutrition';
import { priceList } from './shapes/price-list';
import { projectHours } from './shapes/project-hours';
import { schoolGrades } from './shapes/school-grades';
import { serverMetrics } from './shapes/server-metrics';
import { sportsResults } from './shapes/sports-results';
import { surveyPercentages } from './shapes/survey-percentages';
import { timetable } from './shapes/timetable';

/** 300 texts about 20 shapes of tables, with each figure marked right or wrong by hand. */
export const auditedShapes: readonly AuditedShape[] = [
  dailyWeather,
  monthlySeries,
  serverMetrics,
  invoices,
  priceList,
  sportsResults,
  timetable,
  clinicalValues,
  inventory,
  electionResults,
  financialStatement,
  surveyPercentages,
  geographicFacts,
  nutrition,
  exchangeRates,
  projectHours,
  abResults,
  batchLogs,
  energyMeters,
  schoolGrades,
];
