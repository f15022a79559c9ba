import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/core/clock.ts';
import { Metrics } from '../../../src/operations/observability/metrics.ts';
import type { Store } from '../../../src/store/store.ts';

const NOW = 100 * MINUTE;

function made(backlog: Store['allDeliveries']['backlog'] = async () => []) {
  return new Metrics({ backlog, now: () => NOW });
}

describe('metrics', () => {
  it('count commands by door and outcome, with their time', async () => {
    const metrics = made();
    metrics.command({ door: 'web', command: 'solve', outcome: 'answered', milliseconds: 20 });
    metrics.command({ door: 'web', command: 'solve', outcome: 'mistake', milliseconds: 400 });
    metrics.firstAnswer('web', 3);
    const text = await metrics.text();
    expect(text).toContain('letterboxed_commands_total{door="web",command="solve",outcome="answered"} 1');
    expect(text).toContain('letterboxed_command_seconds_bucket{le="0.3",door="web",outcome="mistake"} 0');
    expect(text).toContain('letterboxed_command_seconds_bucket{le="0.5",door="web",outcome="mistake"} 1');
    expect(text).toContain('letterboxed_first_answer_seconds_count{door="web"} 1');
  });

  it('distinguish late deliveries from timely ones', async () => {
    const metrics = made();
    metrics.delivery({ door: 'discord', step: 'opening', end: 'sent', lag: 31 * MINUTE });
    metrics.delivery({ door: 'discord', step: 'opening', end: 'sent', lag: 21 * MINUTE });
    metrics.delivery({ door: 'discord', step: 'opening', end: 'given-up', lag: undefined });
    const text = await metrics.text();
    expect(text).toContain('letterboxed_late_deliveries_total{door="discord"} 1');
    expect(text).toContain('letterboxed_deliveries_total{door="discord",step="opening",end="given-up"} 1');
    expect(text).toContain('letterboxed_delivery_lag_seconds_sum{door="discord"} 3120');
  });

  it('ask the store for what waits, and do without when it fails', async () => {
    let rows = [{ door: 'slack', waiting: 3, oldestDueAt: NOW - MINUTE }];
    let isUp = true;
    const metrics = made(async () => {
      if (!isUp) throw new Error('down');
      return rows;
    });
    expect(await metrics.text()).toContain('letterboxed_deliveries_waiting{door="slack"} 3');
    expect(await metrics.text()).toContain('letterboxed_deliveries_waiting_age_seconds{door="slack"} 60');
    rows = [];
    expect(await metrics.text()).not.toContain('letterboxed_deliveries_waiting{');
    isUp = false;
    expect(await metrics.text()).toContain('process_resident_memory_bytes');
  });

  it('have the event loop and the process among them', async () => {
    expect(await made().text()).toContain('nodejs_eventloop_lag_p99_seconds');
  });
});
