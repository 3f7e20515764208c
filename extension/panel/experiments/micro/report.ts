import { savedMicro } from '@cachescope/model/micro/run.ts';
import { view } from './view.ts';
import { showReport } from '../../run/report-page.ts';

showReport(savedMicro, view);
