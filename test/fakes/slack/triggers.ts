import { Refusal } from './refusal.ts';
import type { Clock } from './world.ts';

export interface Trigger {
  readonly id: string;
  readonly workspace: string;
  readonly user: string;
}

export interface Triggers {
  issue(workspace: string, user: string): Trigger;
  /** Good for one view within three seconds. */
  use(id: string, workspace: string): Trigger;
  workspaceOf(id: string): string | undefined;
}

const THREE_SECONDS = 3000;

export function makeTriggers(clock: Clock): Triggers {
  const issued = new Map<string, { trigger: Trigger; at: number; isUsed: boolean }>();
  return {
    issue(workspace, user) {
      const id = `${1000 + issued.size}.${2000 + issued.size}.${(issued.size * 7919).toString(16).padStart(12, 'a')}`;
      const trigger = { id, workspace, user };
      issued.set(id, { trigger, at: clock.now(), isUsed: false });
      return trigger;
    },
    use(id, workspace) {
      const entry = issued.get(id);
      if (entry === undefined || entry.trigger.workspace !== workspace)
        throw new Refusal('invalid_trigger_id');
      if (entry.isUsed) throw new Refusal('exchanged_trigger_id');
      if (clock.now() - entry.at > THREE_SECONDS) throw new Refusal('expired_trigger_id');
      entry.isUsed = true;
      return entry.trigger;
    },
    workspaceOf: (id) => issued.get(id)?.trigger.workspace,
  };
}
