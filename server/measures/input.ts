export { ImportedIn, ImportedWanted } from './imported/imported-input';
export {
  Cell,
  ChangeMarksIn,
  Days,
  MeasureIn,
  MeasuresIn,
  Origin,
  VerifierMeasuresIn,
} from './measure-input';
export { ListLabelledVerdictsIn, ReportIn, Slice, SliceField } from './report-input';
