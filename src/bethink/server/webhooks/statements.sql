-- name: put_webhook -> StoredRow
-- Keep a webhook, or change its secrets.
insert into webhooks (tenant_id, webhook_id, agent_owner, agent, principal, principal_groups, spec, secrets, revision,
                      created_at, updated_at)
values (:tenant, :webhook, :owner, :agent, :principal, :groups, :spec, :secrets, 1, :now, :now)
on conflict (tenant_id, webhook_id)
do update set secrets = excluded.secrets, revision = webhooks.revision + 1, updated_at = excluded.updated_at
returning revision, created_at, updated_at;

-- name: find_webhook -> WebhookRow
-- Find a webhook by its number.
select webhook_id, agent_owner, agent, principal, principal_groups, spec, secrets, revision, created_at, updated_at
from webhooks where tenant_id = :tenant and webhook_id = :webhook;

-- name: webhooks_of -> WebhookRow
-- List the webhooks of an agent.
select webhook_id, agent_owner, agent, principal, principal_groups, spec, secrets, revision, created_at, updated_at
from webhooks where tenant_id = :tenant and agent_owner = :owner and agent = :agent
order by webhook_id;

-- name: remove_webhook
-- Close a webhook.
delete from webhooks where tenant_id = :tenant and webhook_id = :webhook returning webhook_id;

-- name: remove_webhooks_of
-- Close the webhooks of an agent that is no more.
delete from webhooks where tenant_id = :tenant and agent_owner = :owner and agent = :agent;

-- name: find_message -> MessageRow
-- Find what became of a message.
select state, session, turn from webhook_messages
where tenant_id = :tenant and scope_id = :scope and webhook_id = :webhook and digest = :digest /* for update */;

-- name: claim_message
-- Take a message to answer it; one that is being answered, or was, answers no row.
insert into webhook_messages (tenant_id, scope_id, webhook_id, digest, state, session, turn, until, at)
values (:tenant, :scope, :webhook, :digest, 'running', :session, null, :until, :now)
on conflict (tenant_id, scope_id, webhook_id, digest)
do update set session = excluded.session, until = excluded.until, at = excluded.at
where webhook_messages.state = 'running' and webhook_messages.until <= excluded.at
returning digest;

-- name: settle_message
-- Record that a message was answered, and in which turn.
update webhook_messages set state = 'done', turn = :turn, at = :now
where tenant_id = :tenant and scope_id = :scope and webhook_id = :webhook and digest = :digest;

-- name: release_message
-- Forget a message that was not answered, so that it can come again.
delete from webhook_messages
where tenant_id = :tenant and scope_id = :scope and webhook_id = :webhook and digest = :digest and state = 'running';

-- name: remove_old_messages
-- Forget messages that nobody will send any more.
delete from webhook_messages
where tenant_id = :tenant and scope_id = :scope and webhook_id = :webhook and at < :before;

-- name: remove_messages
-- Forget every message of a webhook that is no more.
delete from webhook_messages where tenant_id = :tenant and scope_id = :scope and webhook_id = :webhook;

-- name: put_subscription -> StoredRow
-- Keep a subscription, or change its secrets and whether it is still served.
insert into subscriptions (tenant_id, subscription_id, principal, principal_groups, url, spec, secrets, state,
                           revision, created_at, updated_at)
values (:tenant, :subscription, :principal, :groups, :url, :spec, :secrets, :state, 1, :now, :now)
on conflict (tenant_id, subscription_id)
do update set secrets = excluded.secrets, state = excluded.state, revision = subscriptions.revision + 1,
              updated_at = excluded.updated_at
returning revision, created_at, updated_at;

-- name: find_subscription -> SubscriptionRow
-- Find a subscription by its number.
select subscription_id, principal, principal_groups, url, spec, secrets, state, revision, created_at, updated_at
from subscriptions where tenant_id = :tenant and subscription_id = :subscription;

-- name: all_subscriptions -> SubscriptionRow
-- List the subscriptions of a tenant.
select subscription_id, principal, principal_groups, url, spec, secrets, state, revision, created_at, updated_at
from subscriptions where tenant_id = :tenant order by subscription_id;

-- name: end_subscription
-- Send nothing more to an address that wants nothing more.
update subscriptions set state = 'gone', revision = revision + 1, updated_at = :now
where tenant_id = :tenant and subscription_id = :subscription;

-- name: remove_subscription
-- End a subscription.
delete from subscriptions where tenant_id = :tenant and subscription_id = :subscription returning subscription_id;

-- name: begin_marks
-- Begin to listen now: what happened before in the scopes that are there is no news.
insert into event_marks (tenant_id, scope_id, revision)
select tenant_id, scope_id, revision from scopes where tenant_id = :tenant
on conflict (tenant_id, scope_id) do update set revision = excluded.revision;

-- name: end_marks
-- Stop listening: nobody wants to be told any more.
delete from event_marks where tenant_id = :tenant;

-- name: put_mark
-- Record up to where a scope was listened to.
insert into event_marks (tenant_id, scope_id, revision) values (:tenant, :scope, :revision)
on conflict (tenant_id, scope_id) do update set revision = excluded.revision;

-- name: find_mark
-- Find up to where a scope was listened to.
select revision from event_marks where tenant_id = :tenant and scope_id = :scope;

-- name: scopes_with_news -> ScopeNewsRow
-- List the scopes that were written since they were listened to.
select s.scope_id, s.kind, s.owner, s.name, s.user_id, s.session, s.revision from scopes s
left join (select scope_id, revision from event_marks where tenant_id = :tenant) m on m.scope_id = s.scope_id
where s.tenant_id = :tenant and s.revision > coalesce(m.revision, 0)
order by s.scope_id limit :limit;

-- name: add_delivery
-- Queue news for a target; what was queued for it before is not queued again.
insert into deliveries (tenant_id, scope_id, delivery_id, target, event, kind, note_id, subject, state, attempts,
                        due_at, status, error, at, created_at, updated_at)
values (:tenant, :scope, :delivery, :target, :event, :kind, :note, :subject, :state, 0, :now, null, null, :at,
        :now, :now)
on conflict (tenant_id, scope_id, target, event) do nothing
returning delivery_id;

-- name: due_deliveries -> DeliveryRow
-- List the news that are due for subscribers, those that wait longest first.
select scope_id, delivery_id, target, event, kind, note_id, subject, state, attempts, due_at, status, error, at, updated_at
from deliveries
where tenant_id = :tenant and state = 'pending' and due_at <= :now
order by due_at, delivery_id limit :limit;

-- name: next_delivery
-- Find when the next news are due for a subscriber.
select due_at from deliveries
where tenant_id = :tenant and state = 'pending'
order by due_at limit 1;

-- name: deliveries_to -> DeliveryRow
-- List the news for a target, newest first.
select scope_id, delivery_id, target, event, kind, note_id, subject, state, attempts, due_at, status, error, at, updated_at
from deliveries
where tenant_id = :tenant and target = :target and (cast(:state as text) is null or state = :state)
  and delivery_id < :below
order by delivery_id desc limit :limit;

-- name: count_deliveries_to
-- Count the news for a target.
select count(*) from deliveries
where tenant_id = :tenant and target = :target and (cast(:state as text) is null or state = :state);

-- name: put_delivery
-- Record how a try went; news that were erased meanwhile stay erased.
update deliveries set state = :state, attempts = :attempts, due_at = :due, status = :status, error = :error,
  updated_at = :now
where tenant_id = :tenant and scope_id = :scope and delivery_id = :delivery;

-- name: retry_delivery
-- Let news that were given up be tried again.
update deliveries set state = 'pending', attempts = 0, due_at = :now, updated_at = :now
where tenant_id = :tenant and target = :target and delivery_id = :delivery and state = 'dead'
returning delivery_id;

-- name: remove_deliveries_to
-- Drop whatever waits for a target that is no more.
delete from deliveries where tenant_id = :tenant and target = :target;

-- name: remove_told
-- Drop what a target was told.
delete from deliveries
where tenant_id = :tenant and target = :target and scope_id = :scope and delivery_id = :delivery;

-- name: remove_old_deliveries
-- Drop the account of news that were delivered or given up long ago.
delete from deliveries where tenant_id = :tenant and state = :state and updated_at < :before returning 1;

-- name: count_heard
-- Count the news that a task has not been told.
select count(*) from deliveries where tenant_id = :tenant and target = :target and state = 'heard';
