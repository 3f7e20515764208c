import { savedTransfer } from '@cachescope/model/transfer/run.ts';
import { transferView } from '../experiments/transfer/view.ts';
import { showReport } from '../run/report-page.ts';

showReport(savedTransfer, transferView);
