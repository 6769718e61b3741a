-- name: count_agents
-- Count the agents of an owner.
select count(*) from agents where tenant_id = :tenant and owner = :owner;

-- name: put_agent -> StoredRow
-- Keep the spec of an agent, in place of the one before, with the next revision.
insert into agents (tenant_id, owner, name, spec, revision, created_at, updated_at)
values (:tenant, :owner, :name, :spec, 1, :now, :now)
on conflict (tenant_id, owner, name)
do update set spec = excluded.spec, revision = agents.revision + 1, updated_at = excluded.updated_at
returning revision, created_at, updated_at;

-- name: find_agent -> SpecRow
-- Find the spec of an agent.
select spec, revision, created_at, updated_at from agents
where tenant_id = :tenant and owner = :owner and name = :name;

-- name: all_agents -> AgentRow
-- List the specs of the agents of a tenant.
select owner, name, spec, revision, created_at, updated_at from agents
where tenant_id = :tenant
order by owner, name;

-- name: remove_agent
-- Forget the spec of an agent; what it remembered stays.
delete from agents where tenant_id = :tenant and owner = :owner and name = :name returning name;

-- name: find_answered -> AnsweredRow
-- Find what a request with this key was answered.
select request_digest, status, subject from answered_requests
where tenant_id = :tenant and caller = :caller and key_digest = :key and at >= :since;

-- name: put_answered
-- Note that a request with this key was answered.
insert into answered_requests (tenant_id, caller, key_digest, request_digest, status, subject, at)
values (:tenant, :caller, :key, :request, :status, :subject, :now)
on conflict (tenant_id, caller, key_digest)
do update set request_digest = excluded.request_digest, status = excluded.status, subject = excluded.subject,
  at = excluded.at;

-- name: remove_old_answered
-- Forget requests that nobody will repeat any more.
delete from answered_requests where tenant_id = :tenant and at < :before;
