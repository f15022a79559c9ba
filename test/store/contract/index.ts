import type { TestOptions } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { deliveryContract } from './deliveries.ts';
import { makeGround } from './ground.ts';
import { isolationContract } from './isolation.ts';
import { madeBoardContract } from './made-boards.ts';
import { peopleContract } from './people.ts';
import { playContract } from './play.ts';
import { puzzleContract } from './puzzles.ts';
import { shortLivedContract } from './short-lived.ts';
import { subscriptionContract } from './subscriptions.ts';
import { tenantContract } from './tenants.ts';

/**
 * What every store must do, whatever its engine. The store is empty at the start and shared by all tests.
 *
 * @param isolation options of the longest test, which is about queries that are the same for all engines
 */
export function storeContract(store: () => Store, isolation: TestOptions = {}): void {
  const ground = makeGround(store);
  puzzleContract(ground);
  subscriptionContract(ground);
  deliveryContract(ground);
  playContract(ground);
  madeBoardContract(ground);
  peopleContract(ground);
  shortLivedContract(ground);
  tenantContract(ground);
  isolationContract(ground, isolation);
}
