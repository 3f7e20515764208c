import { propertyRuns } from '@cachescope/model/fixtures/property-runs.ts';
import fc from 'fast-check';

fc.configureGlobal({ numRuns: propertyRuns(100) });
