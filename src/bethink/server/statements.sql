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

-- name: put_under_way
-- Say that something is under way.
insert into work_under_way (tenant_id, place, work, stop, until) values (:tenant, :place, :work, 0, :until)
on conflict (tenant_id, place, work) do update set stop = 0, until = excluded.until;

-- name: renew_under_way
-- Say that something is under way still; whether it is to be stopped is the answer.
update work_under_way set until = :until where tenant_id = :tenant and place = :place and work = :work
returning stop;

-- name: list_under_way -> UnderWayRow
-- List what is under way at a place, and what was stopped there just now.
select work, stop from work_under_way where tenant_id = :tenant and place = :place and until > :now order by work;

-- name: stop_under_way
-- Ask whoever plays something to stop it.
update work_under_way set stop = 1
where tenant_id = :tenant and place = :place and work = :work and stop < 2 and until > :now
returning work;

-- name: note_stopped
-- Note that something was stopped, where somebody asked for that and waits to see it.
update work_under_way set stop = 2, until = :until
where tenant_id = :tenant and place = :place and work = :work and stop = 1
returning work;

-- name: remove_under_way
-- Say that something is under way no more.
delete from work_under_way where tenant_id = :tenant and place = :place and work = :work;

-- name: remove_old_under_way
-- Forget what processes were at that are gone.
delete from work_under_way where tenant_id = :tenant and until <= :now;

-- name: put_ended_visit
-- Note that a visit was ended.
insert into ended_visits (tenant_id, visit, until) values (:tenant, :visit, :until)
on conflict (tenant_id, visit) do nothing;

-- name: find_ended_visit
-- Tell whether a visit was ended.
select 1 from ended_visits where tenant_id = :tenant and visit = :visit;

-- name: remove_old_visits
-- Forget visits whose cookies have run out.
delete from ended_visits where tenant_id = :tenant and until <= :now;
